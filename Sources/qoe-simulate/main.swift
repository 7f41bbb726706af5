internal import CommandLineTool
import Foundation

let program = Program(
    name: "qoe-simulate", version: "0.1.0",
    summary: "plays clips on simulated players and networks, measured by the real client library",
    entries: [Program.Entry(SimulateCommand.command, run: SimulateCommand.run)])

exit(program.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment).rawValue)
