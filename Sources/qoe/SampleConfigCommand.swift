internal import CommandLineTool
import Foundation

/// `qoe sample-config`: configuration for the programs around the server.
enum SampleConfigCommand {
    static let command = Command(
        "sample-config",
        summary: "prints configuration for systemd, nginx, Prometheus, Grafana, Docker and Kubernetes",
        operands: SampleConfig.names.joined(separator: "|"),
        options: [
            Option(
                "output", "DIR",
                help:
                    "A folder that gets the files under their own names, instead of standard output. A file that is "
                    + "there already stays as it is, and the command fails.")
        ],
        notes: """
            systemd: the server as a service that can do nothing else. timer: the nightly export, and what tells that it has
            failed. nginx: the public edge with TLS. prometheus: the scrape and its alerts. grafana: a dashboard for
            operators and one of the reports, with their sources. docker: a Dockerfile. kubernetes: a StatefulSet. Each
            begins with how to install it. Where there are
            several files, a line "# file: NAME" stands before each.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        guard arguments.operands.count == 1, let sample = SampleConfig(rawValue: arguments.operands[0]) else {
            throw CommandError(.usage, "sample-config needs one of \(SampleConfig.names.joined(separator: ", "))")
        }
        if let folder = arguments.text("output") {
            try write(sample.files, to: folder)
        } else {
            try StandardOutput.write(text(sample.files))
        }
        return .success
    }

    private static func text(_ files: [SampleConfig.File]) -> String {
        files.map { file in (files.count > 1 ? "# file: \(file.name)\n" : "") + file.text }.joined(separator: "\n")
    }

    private static func write(_ files: [SampleConfig.File], to folder: String) throws(CommandError) {
        try OutputFile.makeFolder(folder)
        // What an operator has changed must not be lost: all or none.
        for file in files where FileManager.default.fileExists(atPath: "\(folder)/\(file.name)") {
            throw CommandError(.cannotCreate, "\(folder)/\(file.name) is there already: move it away first")
        }
        for file in files { try OutputFile.write(file.text, to: "\(folder)/\(file.name)") }
    }
}

/// Configuration for the programs around the server, as files that travel inside this one.
enum SampleConfig: String, CaseIterable {
    case systemd, timer, nginx, prometheus, grafana, docker, kubernetes

    struct File {
        let name: String
        let text: String

        fileprivate init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            text = String(decoding: bytes, as: UTF8.self)
        }
    }

    static var names: [String] { allCases.map(\.rawValue) }

    var files: [File] {
        switch self {
        case .systemd: [File("qoe.service", PackageResources.qoe_service)]
        case .timer:
            [
                File("qoe-export.service", PackageResources.qoe_export_service),
                File("qoe-export.timer", PackageResources.qoe_export_timer),
                File("qoe-failed@.service", PackageResources.qoe_failed__service),
            ]
        case .nginx: [File("qoe-nginx.conf", PackageResources.qoe_nginx_conf)]
        case .prometheus:
            [
                File("prometheus.yml", PackageResources.prometheus_yml),
                File("qoe-alerts.yml", PackageResources.qoe_alerts_yml),
            ]
        case .docker: [File("Dockerfile", PackageResources.Dockerfile)]
        case .kubernetes: [File("qoe-kubernetes.yml", PackageResources.qoe_kubernetes_yml)]
        case .grafana:
            [
                File("qoe-grafana-datasources.yml", PackageResources.qoe_grafana_datasources_yml),
                File("qoe-grafana-dashboards.yml", PackageResources.qoe_grafana_dashboards_yml),
                File("qoe-operator.json", PackageResources.qoe_operator_json),
                File("qoe-reports.json", PackageResources.qoe_reports_json),
            ]
        }
    }
}
