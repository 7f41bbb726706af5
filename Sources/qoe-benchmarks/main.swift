internal import CommandLineTool
import Foundation

let program = Program(
    name: "qoe-benchmarks", version: "0.1.0",
    summary: "how fast taking in, loading and reporting is, against what people would use instead",
    entries: [
        Program.Entry(AllBenchmark.command, run: AllBenchmark.run),
        Program.Entry(LoadBenchmark.command, run: LoadBenchmark.run),
        Program.Entry(PathsBenchmark.command, run: PathsBenchmark.run),
        Program.Entry(IngestBenchmark.command, run: IngestBenchmark.run),
        Program.Entry(AllocationCount.command, run: AllocationCount.run),
        Program.Entry(FoldPath.command, run: FoldPath.run),
        Program.Entry(FollowBenchmark.command, run: FollowBenchmark.run),
        Program.Entry(BesideBenchmark.command, run: BesideBenchmark.run),
        Program.Entry(WindowBenchmark.command, run: WindowBenchmark.run),
        Program.Entry(DaysBenchmark.command, run: DaysBenchmark.run),
        Program.Entry(ClickHouseBenchmark.command, run: ClickHouseBenchmark.run),
        Program.Entry(RoomBenchmark.command, run: RoomBenchmark.run),
        Program.Entry(ReportBenchmark.command, run: ReportBenchmark.run),
        Program.Entry(YearsBenchmark.command, run: YearsBenchmark.run),
    ])

exit(program.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment).rawValue)
