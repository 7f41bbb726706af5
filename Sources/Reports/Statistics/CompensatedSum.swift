/// A sum of floating-point numbers that carries along what rounding took away (Neumaier's variant of Kahan's sum), so
/// that the order of the terms hardly matters.
struct CompensatedSum: Sendable {
    private var sum = 0.0
    private var lost = 0.0

    mutating func add(_ term: Double) {
        let next = sum + term
        lost += abs(sum) >= abs(term) ? (sum - next) + term : (term - next) + sum
        sum = next
    }

    var value: Double { sum + lost }
}
