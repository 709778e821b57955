package import Kernel

/// Decides how long meaningless answers about a scan are tolerated, and whether its checks are answered; pure.
///
/// Each followed scan has one.
package struct ScanPatience: Sendable, Equatable {
    /// The time for which a proxy's page, or a scan that the provider does not know yet, is tolerated.
    ///
    /// Providers are eventually consistent. It is a time and not a count, since the number of checks depends on the
    /// clients.
    package static let tolerance: Duration = .seconds(15)

    private var reference: ProviderReference
    /// Whether any answer made sense.
    private var isKnown = false
    /// The spell of answers that make no sense, while one lasts.
    private var spell: Spell?

    private struct Spell: Sendable, Equatable {
        let since: Instant
        let last: Instant
    }

    /// Whether the last check got no answer that made sense.
    package private(set) var isSuspect = false

    package init(reference: ProviderReference) { self.reference = reference }

    /// Returns the status to act on for the status that was received.
    package mutating func judge(_ status: ScanStatus, of scan: Scan, at now: Instant) -> ScanStatus {
        begin(scan)
        isSuspect = status == .nonsense
        switch status {
        case .unrecognised, .nonsense:
            return now - puzzled(at: now) >= Self.tolerance ? .broken : status
        case .unknownReference:
            let first = puzzled(at: now)
            return now - (isKnown ? first : scan.startedAt) >= Self.tolerance ? .broken : status
        case .pending, .approved, .rejected, .expired, .canceled, .broken:
            (isKnown, spell) = (true, nil)
            return status
        }
    }

    /// Notes a check of the scan without an answer.
    ///
    /// Silence ends a spell of unreadable answers: a proxy's page before an outage and one after it are two short
    /// spells, not a long one.
    package mutating func noteSilence(of scan: Scan) {
        begin(scan)
        isSuspect = true
        spell = nil
    }

    /// Returns when the spell began that an answer without sense at `now` belongs to.
    ///
    /// After a longer gap another spell begins. A scan is not asked while the circuit is open, and a page before an
    /// outage and one after it are two short spells.
    private mutating func puzzled(at now: Instant) -> Instant {
        let since = spell.flatMap { now - $0.last > Self.tolerance ? nil : $0.since } ?? now
        spell = Spell(since: since, last: now)
        return since
    }

    /// Forgets the previous scan when a new one has started.
    private mutating func begin(_ scan: Scan) {
        if scan.reference != reference { self = ScanPatience(reference: scan.reference) }
    }
}
