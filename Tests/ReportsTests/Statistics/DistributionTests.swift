import Testing

@testable import Reports

@Suite("The distributions")
struct DistributionTests {
    /// Solved for with mpmath to 30 digits from I_{f ÷ (f + t²)}(f ÷ 2, ½) = 0.05; statistics tables have the first six.
    @Test(
        "know the 97.5 % quantile of Student's t",
        arguments: [
            (1.0, 12.706204736174705), (2, 4.3026527297494639), (4, 2.7764451051977944), (9, 2.2621571627982055),
            (30, 2.0422724563012383), (120, 1.9799304050824408), (1_000, 1.9623390808264085),
        ])
    func student(_ freedom: Double, _ quantile: Double) {
        #expect(abs(StudentDistribution.quantile(degreesOfFreedom: freedom) - quantile) < 1e-11 * quantile)
    }

    @Test("come to the normal quantile as the degrees of freedom grow")
    func manyDegreesOfFreedom() {
        #expect(abs(StudentDistribution.quantile(degreesOfFreedom: 1e9) - StudentDistribution.normalQuantile) < 1e-8)
    }

    @Test("take degrees of freedom between the whole numbers")
    func fractionalFreedom() {
        // From the worked examples of `intervals-by-hand` and `tiny-by-hand`.
        #expect(abs(StudentDistribution.quantile(degreesOfFreedom: 1.6e11 / 1.68e10 - 1) - 2.281569) < 5e-7)
        #expect(abs(StudentDistribution.quantile(degreesOfFreedom: 196.0 / 36 - 1) - 2.67030) < 5e-6)
    }

    @Test(
        "give binomial tails that are the sums of their terms",
        arguments: [(16, 0.5), (14, 0.95), (60, 0.05), (1, 0.5)])
    func smallBinomial(_ n: Int, _ p: Double) {
        // Pascal's rule row by row: nothing of the code under test is in it.
        var terms = [1.0]
        for _ in 0..<n {
            terms = (0...terms.count).map { k in
                (k < terms.count ? terms[k] * (1 - p) : 0) + (k > 0 ? terms[k - 1] * p : 0)
            }
        }
        for x in 0...n {
            let sum = terms[0...x].reduce(0, +)
            #expect(abs(BinomialDistribution.atMost(x, of: n, p: p) - sum) < 1e-13)
            #expect(abs(BinomialDistribution.atLeast(x, of: n, p: p) - (1 - sum + terms[x])) < 1e-13)
        }
    }

    @Test("stay exact for ten million plays")
    func largeBinomial() {
        let n = 10_000_000
        // The two tails share one term.
        for (x, p) in [(5_000_000, 0.5), (4_996_901, 0.5), (9_500_000, 0.95), (9_498_649, 0.95)] {
            let both = BinomialDistribution.atMost(x, of: n, p: p) + BinomialDistribution.atLeast(x, of: n, p: p)
            let term = BinomialDistribution.density(Double(x), of: Double(n), p: p, q: 1 - p)
            #expect(abs(both - 1 - term) < 1e-10)
        }
        // Half of the symmetric distribution lies on either side of its middle term: 1/2 + C(n, n/2)/2^(n+1).
        let middle = BinomialDistribution.density(5e6, of: 1e7, p: 0.5, q: 0.5)
        #expect(abs(middle - (1 / (Double.pi * 5e6).squareRoot()) * (1 - 1 / 4e7)) < 1e-15)
        #expect(abs(BinomialDistribution.atMost(5_000_000, of: n, p: 0.5) - (0.5 + middle / 2)) < 1e-11)
    }

    @Test("know the incomplete beta function where it has a closed form")
    func beta() {
        for x in [0.001, 0.2, 0.5, 0.9, 0.999] {
            // I_x(1, b) = 1 − (1 − x)^b, I_x(a, 1) = x^a.
            var power = 1.0
            for exponent in 1...7 {
                power *= 1 - x
                let one = BetaDistribution.cumulative(x, complement: 1 - x, a: 1, b: Double(exponent))
                #expect(abs(one - (1 - power)) < 1e-14)
                let other = BetaDistribution.cumulative(1 - x, complement: x, a: Double(exponent), b: 1)
                #expect(abs(other - power) < 1e-14)
            }
        }
    }
}
