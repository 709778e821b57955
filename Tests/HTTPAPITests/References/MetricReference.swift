import ReferencePages

@testable import Assembly
@testable import Telemetry

/// The metrics as a page: every family of the catalogue.
enum MetricReference {
    static var page: ReferencePage {
        let rows = MetricCatalogue.families.map { family in
            [
                Markdown.code(family.name), family.type, family.labels.map(Markdown.code).joined(separator: ", "),
                family.help,
            ]
        }
        return ReferencePage(
            name: "metrics.md",
            title: "Metrics",
            source: "Sources/Assembly/Metrics/MetricCatalogue.swift",
            body: introduction + "\n" + Markdown.table(["metric", "type", "labels", "meaning"], rows)
        )
    }

    private static let introduction = """
        `metrics.enabled` serves these in Prometheus' text format, at `metrics.host` and `metrics.port` below `/metrics`.
        Label values are names of the config, templates of routes and words of the program, never an id, an address or a
        person's name. [Monitor and troubleshoot](../guide/monitor-and-troubleshoot.md) says which to watch.

        """
}
