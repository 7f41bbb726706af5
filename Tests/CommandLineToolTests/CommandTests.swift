import CommandLineTool
import Testing

@Suite("A command line")
struct CommandTests {
    private let command = Command(
        "serve", summary: "takes plays in", operands: nil,
        options: [
            Option("data", "DIR", environment: "QOE_DATA", initial: "./qoe-data", help: "The data directory."),
            Option("listen", "ADDRESS", help: "Where to listen."),
            Option("region-header", "NAME", environment: "QOE_REGION_HEADER", repeats: true, help: "A header."),
            Option("allow-anonymous", environment: "QOE_ALLOW_ANONYMOUS", help: "No keys."),
            Option("max-connections", "N", environment: "QOE_MAX_CONNECTIONS", help: "How many."),
        ],
        notes: """
            A note of more words than one line of a hundred columns has room for is broken where it has to be, and not
            before.

              an example stands as it is
            """)

    @Test("takes a value after a space or an equals sign, and an option that repeats more than once")
    func values() throws {
        let arguments = try command.parse(
            ["--data", "a b", "--listen=:0", "--region-header", "x", "--region-header=y", "--allow-anonymous"],
            environment: [:])
        #expect(arguments.text("data") == "a b")
        #expect(arguments.text("listen") == ":0")
        #expect(arguments.all("region-header") == ["x", "y"])
        #expect(arguments.flag("allow-anonymous"))
    }

    @Test("goes before the environment, and the environment before the default")
    func precedence() throws {
        #expect(try command.parse([], environment: [:]).text("data") == "./qoe-data")
        #expect(try command.parse([], environment: ["QOE_DATA": "e"]).text("data") == "e")
        #expect(try command.parse(["--data", "c"], environment: ["QOE_DATA": "e"]).text("data") == "c")
        #expect(
            try command.parse([], environment: ["QOE_REGION_HEADER": "x,y"]).all("region-header") == ["x", "y"])
    }

    @Test(
        "that can't be understood is a usage error which says what would be right",
        arguments: [
            (["--lisen", ":0"], "unknown option --lisen; did you mean --listen?"),
            (
                ["--zzzzzzzzz"],
                "unknown option --zzzzzzzzz; the options are --data, --listen, --region-header, --allow-anonymous, "
            ),
            (["-d"], "unknown option -d; the options are --data, --listen, "),
            (["--listen"], "--listen needs a value: --listen ADDRESS"),
            (["--data", ""], "--data needs a value: --data DIR"),
            (["--data="], "--data needs a value: --data DIR"),
            (["--allow-anonymous=1"], "--allow-anonymous takes no value"),
            (["--data", "a", "--data", "b"], "--data stands there twice"),
            (["file"], "serve takes no operand, but there is \"file\""),
        ])
    func usage(words: [String], message: String) {
        let error = #expect(throws: CommandError.self) { try command.parse(words, environment: [:]) }
        #expect(error?.code == .usage)
        #expect(error?.message.hasPrefix(message) == true)
    }

    @Test("names the option or the variable whose number is no good")
    func numbers() throws {
        let typed = try command.parse(["--max-connections", "many"], environment: [:])
        let wrong = #expect(throws: CommandError.self) { try typed.int("max-connections", in: 1...512) }
        #expect(wrong == CommandError(.usage, "--max-connections \"many\" should be a whole number, 1 to 512"))
        let set = try command.parse([], environment: ["QOE_MAX_CONNECTIONS": "0"])
        let unset = #expect(throws: CommandError.self) { try set.int("max-connections", in: 1...512) }
        #expect(unset?.code == .configuration)
        #expect(unset?.message == "QOE_MAX_CONNECTIONS is \"0\": it should be a whole number, 1 to 512")
    }

    @Test("that asks for help gets every option with its default and its variable")
    func help() throws {
        #expect(try command.parse(["--data", "x", "-h"], environment: [:]).wantsHelp)
        let text = command.help(program: "qoe")
        for option in command.options { #expect(text.contains("--\(option.name)")) }
        #expect(text.contains("(default: ./qoe-data) [QOE_DATA]"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
        #expect(text.contains("broken where it"))
        #expect(text.hasSuffix(" not before.\n\n  an example stands as it is\n"))
    }
}
