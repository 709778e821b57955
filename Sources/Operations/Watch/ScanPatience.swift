package import Kernel

/// How long answers that say nothing about a scan are borne with, and whether its checks are answered at all.
///
/// Pure; one per followed scan.
package struct ScanPatience: Sendable, Equatable {
    /// A proxy's page, or a scan that the provider does not know yet (providers are eventually consistent), is borne with
    /// for so long.
    ///
    /// By time and not by count: how often it is asked in that time depends on who waits.
    package static let bearsFor: Duration = .seconds(15)

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

    /// The status to act on, given what was learnt.
    package mutating func judge(_ status: ScanStatus, of scan: Scan, at now: Instant) -> ScanStatus {
        begin(scan)
        isSuspect = status == .nonsense
        switch status {
        case .unrecognised, .nonsense:
            return now - puzzled(at: now) >= Self.bearsFor ? .broken : status
        case .unknownReference:
            let first = puzzled(at: now)
            return now - (isKnown ? first : scan.startedAt) >= Self.bearsFor ? .broken : status
        case .pending, .approved, .rejected, .expired, .canceled, .broken:
            (isKnown, spell) = (true, nil)
            return status
        }
    }

    /// A check of the scan got no answer.
    ///
    /// Silence is no unreadable answer: a proxy's page before an outage and one after it are two short spells, not a long one.
    package mutating func noteSilence(of scan: Scan) {
        begin(scan)
        isSuspect = true
        spell = nil
    }

    /// Returns when the spell began that an answer without sense at `now` belongs to.
    ///
    /// After a longer gap another spell begins: a scan is not asked while the circuit is open, and a page before an outage
    /// and one after it are two short spells.
    private mutating func puzzled(at now: Instant) -> Instant {
        let since = spell.flatMap { now - $0.last > Self.bearsFor ? nil : $0.since } ?? now
        spell = Spell(since: since, last: now)
        return since
    }

    /// A new start is judged afresh.
    private mutating func begin(_ scan: Scan) {
        if scan.reference != reference { self = ScanPatience(reference: scan.reference) }
    }
}
