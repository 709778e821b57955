import Kernel

/// E-mail addresses that behave by themselves: `accept+2s@…`, `reject_match+500ms@…`, `hang@…`.
///
/// The local part is the name of an outcome or of a fault, then any number of `+` tags. The first tag that reads as a
/// time (`500ms`, `2s`, `1m`) is the delay of the outcome or the length of the fault. The others only tell addresses
/// apart (`accept+2s+anna@example.com`).
package enum MagicAddress {
    package static func step(for email: String) -> ScenarioStep? {
        guard let at = email.lastIndex(of: "@") else { return nil }
        let parts = email[..<at].lowercased().split(separator: "+", omittingEmptySubsequences: false)
        guard let name = parts.first else { return nil }
        let delay = parts.dropFirst().lazy.compactMap(duration).first
        if let outcome = Outcome(rawValue: String(name)) {
            return ScenarioStep(outcome: outcome, after: delay ?? .zero)
        }
        guard let fault = FaultKind(rawValue: String(name)), fault.applies(to: .status) else { return nil }
        return ScenarioStep(fault: fault, faultDuration: delay)
    }

    private static func duration(_ tag: Substring) -> Duration? {
        let digits = tag.prefix { ("0"..."9").contains($0) }
        guard let amount = Int64(digits), amount <= 1_000_000 else { return nil }
        switch tag.dropFirst(digits.count) {
        case "ms": return .milliseconds(amount)
        case "s": return .seconds(amount)
        case "m": return .seconds(amount * 60)
        default: return nil
        }
    }
}
