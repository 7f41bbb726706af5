import Foundation
import Testing
import TestSupport

@Suite("The way in for those who come next")
struct ContributingTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
    }

    private func code(_ cell: String) throws -> String {
        try #require(cell.firstMatch(of: /`([^`]+)`/).map { String($0.output.1) }, "\(cell) names nothing")
    }

    @Test("has recipes whose every file is there, with what is to be looked for in it")
    func recipes() throws {
        let recipes = try Article(path: ".github/CONTRIBUTING.md").sections.filter { $0.heading.hasPrefix("Add ") }
        #expect(recipes.count == 3)
        for recipe in recipes {
            #expect(recipe.article.rows.count >= 5, "\(recipe.heading)")
            for row in recipe.article.rows {
                let (path, symbol) = (try code(row[0]), try code(row[1]))
                let isThere = (try? text(path))?.contains(symbol) == true
                #expect(isThere, "\(recipe.heading): \(path) has no \(symbol)")
            }
        }
    }

    @Test("tells the seven forms of a play, each with the file that declares it")
    func forms() throws {
        let rows = try #require(try Article("Architecture").section("The path of a play")).rows
        #expect(rows.map { $0[0].prefix { $0 != "." } } == (1...7).map { "\($0)" })
        for row in rows {
            let (type, path) = (try code(row[1]), try code(row[2]))
            let declares = try ["struct", "class", "enum"].contains { try text(path).contains("\($0) \(type)") }
            #expect(declares, "\(path) declares no \(type)")
        }
    }

    @Test("says where to look, each time in a file that has what is looked for")
    func whereToLook() throws {
        let rows = try #require(try Article("Architecture").section("Where to look")).rows
        #expect(rows.count >= 10)
        for row in rows {
            let (path, symbol) = (try code(row[1]), try code(row[2]))
            let isThere = (try? text(path))?.contains(symbol) == true
            #expect(isThere, "\(row[0]): \(path) has no \(symbol)")
        }
    }

    @Test("numbers and dates each decision, and says what was rejected")
    func decisions() throws {
        let article = try #require(try Article("Architecture").section("Decisions"))
        let decisions = article.lines.filter { $0.hasPrefix("**") }
        #expect(decisions.count >= 18)
        let dated = /^\*\*[^*]+ \(20\d\d-\d\d-\d\d\)\.\*\*/
        for (index, decision) in decisions.enumerated() {
            #expect(decision.hasPrefix("**\(index + 1). "), "\(decision.prefix(60))")
            let isDated = decision.firstMatch(of: dated) != nil
            #expect(isDated, "\(decision.prefix(60)) has no date")
            #expect(decision.contains("Rejected"), "\(decision.prefix(60)) rejects nothing")
        }
    }

    @Test("has a quick lane that names the targets when it is asked for none")
    func quick() throws {
        for target in ["", "Nothing"] {
            let result = try BuiltProgram.run(Checkout.root.path + "/.make/quick", [target])
            #expect(result.status == 64)
            #expect(result.errors.contains("TARGET=NAME") && result.errors.contains("Platform"))
        }
    }
}
