internal import CommandLineTool
import Foundation

let program = Program(
    name: "qoe", version: ProgramVersion.full,
    summary: "how video plays in your app, by CDN region: takes plays in, keeps them, reports on them",
    entries: [
        Program.Entry(ServeCommand.command, run: ServeCommand.run),
        Program.Entry(LoadCommand.command, run: LoadCommand.run),
        Program.Entry(ReportCommand.command, run: ReportCommand.run),
        Program.Entry(PlaysCommand.command, run: PlaysCommand.run),
        Program.Entry(ExportCommand.command, run: ExportCommand.run),
        Program.Entry(CheckCommand.command, run: CheckCommand.run),
        Program.Entry(RebuildCommand.command, run: RebuildCommand.run),
        Program.Entry(VerifyCommand.command, run: VerifyCommand.run),
        Program.Entry(ReplayRejectedCommand.command, run: ReplayRejectedCommand.run),
        Program.Entry(SampleConfigCommand.command, run: SampleConfigCommand.run),
        Program.Entry(PruneCommand.command, run: PruneCommand.run),
        Program.Entry(EraseCommand.command, run: EraseCommand.run),
        Program.Entry(FoldCommand.command, run: FoldCommand.run),
        Program.Entry(StoreCommand.command, run: StoreCommand.run),
    ])

MemoryPolicy.returnLargeBlocks()
exit(program.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment).rawValue)
