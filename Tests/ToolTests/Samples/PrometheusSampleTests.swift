import Foundation
import Testing
import TestSupport

@Suite("The sample configuration for Prometheus", .tools)
struct PrometheusSampleTests {
    @Test("is one that promtool finds nothing in, and so are its alerts")
    func check() throws {
        let sample = try SampleConfigFolder("prometheus")
        let config = try BuiltProgram.run("promtool", ["check", "config", sample.path("prometheus.yml")])
        #expect(config.status == 0, "\(config.output)\(config.errors)")
        #expect(config.output.contains("17 rules found"), "\(config.output)")
    }

    @Test("has metrics to read that promtool finds nothing in")
    func metrics() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.path("data"))
        #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
        try server.waitForFollower()
        let result = try BuiltProgram.run("promtool", ["check", "metrics"], input: server.admin("/metrics").text)
        #expect(result.status == 0)
        #expect(result.output.isEmpty && result.errors.isEmpty, "\(result.output)\(result.errors)")
    }

    @Test("names in its alerts only metrics that the server has")
    func names() throws {
        let folder = try TemporaryFolder()
        try "plays > 0".write(toFile: folder.path("levels"), atomically: true, encoding: .utf8)
        let options = ["--slo", folder.path("levels"), "--webhook", "http://127.0.0.1:1/"]
        let server = try ServerProcess(data: folder.path("data"), options: options)
        let export = ["export", "--data", folder.path("data"), "--output", folder.path("export")]
        #expect(try BuiltProgram("qoe").run(export).status == 0)
        // It comes last of what a look leaves.
        let judged = "\nqoe_slo_judged_timestamp_seconds "
        try waitUntil("a look at the levels") { try server.admin("/metrics").text.contains(judged) }
        let exported = try server.admin("/metrics").text
        let alerts = try SampleConfigFolder("prometheus").text("qoe-alerts.yml")
        let named = Set(alerts.matches(of: /qoe_[a-z_]+/).map { String($0.output) })
        #expect(named.count > 8)
        for name in named {
            #expect(exported.contains("\n\(name) ") || exported.contains("\n\(name){"), "there is no metric \(name)")
        }
    }

    @Test("lets each alert fire when it should, and none on a quiet day")
    func alerts() throws {
        let sample = try SampleConfigFolder("prometheus")
        try Self.alertTests.write(toFile: sample.path("alerts.test.yml"), atomically: true, encoding: .utf8)
        let result = try BuiltProgram.run("promtool", ["test", "rules", sample.path("alerts.test.yml")])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test("makes a real Prometheus read a running server")
    func scrape() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.path("data"))
        #expect(try server.post(SampleBatch.body(ids: (0..<7).map { _ in SampleBatch.newId() })).status == 202)
        let sample = try SampleConfigFolder("prometheus")
        try sample.edit(
            "prometheus.yml",
            [("127.0.0.1:9090", "127.0.0.1:\(server.adminPort)"), ("interval: 15s", "interval: 1s")])
        let port = try BackgroundProcess.freePort()
        let prometheus = try BackgroundProcess(
            [
                "prometheus", "--config.file", sample.path("prometheus.yml"), "--storage.tsdb.path",
                folder.path("metrics"), "--web.listen-address", "127.0.0.1:\(port)",
            ], output: folder.path("prometheus.log"))
        try prometheus.waitForPort(port)
        func value(_ query: String) throws -> String? {
            let answer = try LoopbackConnection(port: port).get("/api/v1/query?query=\(query)")
            let found = answer.text.firstMatch(of: /"value":\[[0-9.]+,"([^"]*)"\]/)
            return found.map { String($0.output.1) }
        }
        try waitUntil("a scrape: \(prometheus.text)") { try value("qoe_events_accepted_total") == "7" }
        #expect(try value("up") == "1")
        #expect(try value("qoe_ready") == "1")
        #expect(try value("qoe_fsync_seconds_count").flatMap { Int($0) } ?? 0 > 0)
        let rules = try BuiltProgram.run("curl", ["--silent", "http://127.0.0.1:\(port)/api/v1/rules"]).output
        #expect(rules.contains("QoeNotReady") && !rules.contains(#""health":"err""#), "\(rules)")
    }

    /// For each alert the least that makes it fire; and a quiet server.
    private static let alertTests = """
        rule_files: [qoe-alerts.yml]
        evaluation_interval: 1m
        tests:
          - interval: 1m
            input_series:
              - {series: 'up{job="qoe", instance="a"}', values: '0x60'}
              - {series: 'qoe_ready{instance="a"}', values: '0x60'}
              - {series: 'qoe_last_commit_good{instance="a"}', values: '0x60'}
              - {series: 'qoe_follower_lag_seconds{instance="a"}', values: '400x60'}
              - {series: 'qoe_requests_refused_total{instance="a", reason="queue"}', values: '0+1x60'}
              - {series: 'qoe_requests_refused_total{instance="a", reason="stopping"}', values: '0+1x60'}
              - {series: 'qoe_events_received_total{instance="a"}', values: '0+100x60'}
              - {series: 'qoe_events_rejected_total{instance="a", code="missing"}', values: '0+3x60'}
              - {series: 'qoe_quarantine_dropped_total{instance="a"}', values: '0+1x60'}
              - {series: 'qoe_damage{instance="a"}', values: '1x60'}
              - {series: 'qoe_fsync_seconds_bucket{instance="a", le="1.0"}', values: '0+9x60'}
              - {series: 'qoe_fsync_seconds_bucket{instance="a", le="4.0"}', values: '0+10x60'}
              - {series: 'qoe_fsync_seconds_bucket{instance="a", le="+Inf"}', values: '0+10x60'}
              - {series: 'qoe_requests_total{instance="a", class="2xx"}', values: '0+10x60'}
              - {series: 'qoe_requests_unauthorized_total{instance="a", reason="unknown"}', values: '0+1x60'}
              - {series: 'qoe_last_reload_good{instance="a"}', values: '0x60'}
              - {series: 'qoe_disk_free_bytes{instance="a"}', values: '14x60'}
              - {series: 'qoe_disk_bytes{instance="a"}', values: '100x60'}
              - {series: 'qoe_last_export_timestamp_seconds{instance="a"}', values: '-100000x60'}
              - {series: 'qoe_slo_state{instance="a", level="start"}', values: '3x60'}
              - {series: 'qoe_slo_firing{instance="a", level="start"}', values: '1x60'}
              - {series: 'qoe_slo_judged_timestamp_seconds{instance="a"}', values: '0x60'}
              - {series: 'qoe_webhook_waiting{instance="a"}', values: '1x60'}
            promql_expr_test:
              - expr: count by (alertname) (ALERTS{alertstate="firing"})
                eval_time: 55m
                exp_samples:
                  - {labels: '{alertname="QoeDown"}', value: 1}
                  - {labels: '{alertname="QoeNotReady"}', value: 1}
                  - {labels: '{alertname="QoeCommitsFail"}', value: 1}
                  - {labels: '{alertname="QoeDatabaseBehind"}', value: 1}
                  - {labels: '{alertname="QoeRefuses"}', value: 1}
                  - {labels: '{alertname="QoeRejectsEvents"}', value: 1}
                  - {labels: '{alertname="QoeQuarantineFull"}', value: 1}
                  - {labels: '{alertname="QoeDamage"}', value: 1}
                  - {labels: '{alertname="QoeSlowDisk"}', value: 1}
                  - {labels: '{alertname="QoeUnauthorized"}', value: 1}
                  - {labels: '{alertname="QoeReloadFailed"}', value: 1}
                  - {labels: '{alertname="QoeDiskFilling"}', value: 1}
                  - {labels: '{alertname="QoeExportOld"}', value: 1}
                  - {labels: '{alertname="QoeServiceLevel"}', value: 1}
                  - {labels: '{alertname="QoeLevelsNotJudged"}', value: 1}
                  - {labels: '{alertname="QoeWebhookFails"}', value: 1}
          - interval: 1m
            input_series:
              - {series: 'qoe_events_received_total{instance="a"}', values: '0+100x1500 150000x60'}
              - {series: 'qoe_cmcd_reports_total{instance="a"}', values: '0x1560'}
              - {series: 'qoe_events_received_total{instance="night"}', values: '0+1x1500 1500x60'}
              - {series: 'qoe_cmcd_reports_total{instance="night"}', values: '0x1560'}
            promql_expr_test:
              - {expr: 'count by (alertname, instance) (ALERTS{alertstate="firing"})', eval_time: 1515m, exp_samples: []}
              - expr: count by (alertname, instance) (ALERTS{alertstate="firing"})
                eval_time: 1535m
                exp_samples:
                  - {labels: '{alertname="QoeNoTraffic", instance="a"}', value: 1}
          - interval: 1m
            input_series:
              - {series: 'up{job="qoe", instance="a"}', values: '1x60'}
              - {series: 'qoe_ready{instance="a"}', values: '1x60'}
              - {series: 'qoe_last_commit_good{instance="a"}', values: '1x60'}
              - {series: 'qoe_follower_lag_seconds{instance="a"}', values: '1x60'}
              - {series: 'qoe_requests_refused_total{instance="a", reason="queue"}', values: '5x60'}
              - {series: 'qoe_events_received_total{instance="a"}', values: '0+100x60'}
              - {series: 'qoe_events_rejected_total{instance="a", code="missing"}', values: '0+1x60'}
              - {series: 'qoe_quarantine_dropped_total{instance="a"}', values: '3x60'}
              - {series: 'qoe_lines_unloadable_total{instance="a"}', values: '3x60'}
              - {series: 'qoe_damage{instance="a"}', values: '0x60'}
              - {series: 'qoe_fsync_seconds_bucket{instance="a", le="1.0"}', values: '0+10x60'}
              - {series: 'qoe_fsync_seconds_bucket{instance="a", le="+Inf"}', values: '0+10x60'}
              - {series: 'qoe_requests_total{instance="a", class="2xx"}', values: '0+30x60'}
              - {series: 'qoe_requests_unauthorized_total{instance="a", reason="unknown"}', values: '0+1x60'}
              - {series: 'qoe_last_reload_good{instance="a"}', values: '1x60'}
              - {series: 'qoe_disk_free_bytes{instance="a"}', values: '16x60'}
              - {series: 'qoe_disk_bytes{instance="a"}', values: '100x60'}
              - {series: 'qoe_last_export_timestamp_seconds{instance="a"}', values: '-80000x60'}
              - {series: 'qoe_slo_state{instance="a", level="start"}', values: '3x60'}
              - {series: 'qoe_slo_firing{instance="a", level="start"}', values: '0x60'}
              - {series: 'qoe_slo_judged_timestamp_seconds{instance="a"}', values: '0+60x60'}
              - {series: 'qoe_webhook_waiting{instance="a"}', values: '0x60'}
            promql_expr_test:
              - {expr: 'ALERTS', eval_time: 55m, exp_samples: []}
        """
}
