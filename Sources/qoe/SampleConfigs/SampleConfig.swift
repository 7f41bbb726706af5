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
