import Kernel

extension Recording {
    /// The scenario file, which `authid-mock --script` and `play` take as it is.
    package var yaml: String {
        var lines = [
            "# Recorded on the control page of authid-mock. To play it again:",
            "#   authid-mock --script scenario.yaml",
        ]
        if !faults.isEmpty { lines += ["faults:"] + faults.map { "  - \($0.yaml)" } }
        lines += steps.isEmpty ? ["timeline: []"] : ["timeline:"] + steps.map { "  - \($0.yaml)" }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The text of a YAML value in flow style, on one line.
enum FlowYAML {
    /// Returns a map of those members that have a value.
    static func map(_ members: [(key: String, value: String?)]) -> String {
        let present = members.compactMap { key, value in value.map { "\(key): \($0)" } }
        return present.isEmpty ? "{}" : "{ \(present.joined(separator: ", ")) }"
    }

    static func list(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }

    /// Returns a text in double quotes (YAML 1.2 §7.3.1), in which nothing but printable ASCII stands for itself.
    ///
    /// Names and addresses come from a client, and may hold line breaks, quotes, or signs that turn text around.
    static func text(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar.value {
            case 0x22: "\\\""
            case 0x5C: "\\\\"
            case 0x20...0x7E: String(scalar)
            case 0...0xFFFF: "\\u" + hex(scalar.value, digits: 4)
            default: "\\U" + hex(scalar.value, digits: 8)
            }
        }
        return "\"\(escaped.joined())\""
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Returns whole milliseconds, or `nil` for none.
    static func milliseconds(_ duration: Duration?) -> String? {
        duration.flatMap { $0 == .zero ? nil : String($0.wholeMilliseconds) }
    }
}

extension TimelineStep {
    /// The step as ``Timeline`` reads it.
    var yaml: String {
        FlowYAML.map([
            ("waitFor", waitFor?.rawValue), ("afterMs", FlowYAML.milliseconds(after)),
            ("say", say.map { FlowYAML.text($0) }), ("clearFaults", clearsFaults ? "true" : nil),
            ("fault", fault?.yaml), ("scenario", scenario?.yaml), ("enrolment", enrolment?.yaml),
            ("outcome", outcome?.outcome.rawValue), ("account", outcome?.account.map { FlowYAML.text($0) }),
            ("webhooks", webhooks?.yaml), ("webhook", webhook?.yaml),
        ])
    }
}

extension FaultRule {
    var yaml: String {
        FlowYAML.map([
            ("target", target.rawValue), ("fault", kind.rawValue), ("count", count.map { String($0) }),
            ("rate", rate == 1 ? nil : String(rate)), ("ms", duration.map { String($0.wholeMilliseconds) }),
            ("seed", seed.map { String($0) }),
        ])
    }
}

extension AccountScenario {
    fileprivate var yaml: String {
        FlowYAML.map([
            ("account", FlowYAML.text(account)), ("steps", FlowYAML.list(scenario.steps.map(\.yaml))),
            ("repeat", scenario.repeats ? "true" : nil),
        ])
    }
}

extension ScenarioStep {
    fileprivate var yaml: String {
        FlowYAML.map([
            ("outcome", outcome?.rawValue), ("afterMs", FlowYAML.milliseconds(after)), ("fault", fault?.rawValue),
            ("ms", faultDuration.map { String($0.wholeMilliseconds) }),
        ])
    }
}

extension AccountEnrolment {
    fileprivate var yaml: String {
        FlowYAML.map([("account", FlowYAML.text(account)), ("enrolled", isEnrolled ? "true" : "false")])
    }
}

extension WebhookChange {
    fileprivate var yaml: String {
        FlowYAML.map([
            ("copies", copies.map { String($0) }), ("delayMs", delay.map { String($0.wholeMilliseconds) }),
            ("disorderMs", disorder.map { String($0.wholeMilliseconds) }),
            ("mangle", mangling.map { $0?.rawValue ?? "none" }),
        ])
    }
}

extension AccountWebhook {
    fileprivate var yaml: String {
        FlowYAML.map([
            ("account", account.map { FlowYAML.text($0) }), ("mangle", mangling?.rawValue),
            ("copies", copies == 1 ? nil : String(copies)),
        ])
    }
}
