package import Kernel

/// Decides how long unusable answers about a scan are tolerated, and whether the scan is suspect.
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
    /// The current series of unusable answers; `nil` outside of one.
    private var spell: Spell?

    private struct Spell: Sendable, Equatable {
        let since: Instant
        let last: Instant
    }

    /// Whether the last check got no answer about the scan.
    package private(set) var isSuspect = false

    package init(reference: ProviderReference) { self.reference = reference }

    /// Returns the received status, or `.broken` once unusable answers have lasted for ``tolerance``.
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

    /// Notes a check of the scan that got no answer.
    ///
    /// It ends a series of unusable answers. A proxy's error pages before and after an outage are two short series, not
    /// a long one.
    package mutating func noteSilence(of scan: Scan) {
        begin(scan)
        isSuspect = true
        spell = nil
    }

    /// Returns the start of the series that an unusable answer at `now` belongs to.
    ///
    /// An answer after a longer gap begins a new series. While the circuit is open there are no checks, so error pages
    /// before and after an outage are two short series.
    private mutating func puzzled(at now: Instant) -> Instant {
        let since = spell.flatMap { now - $0.last > Self.tolerance ? nil : $0.since } ?? now
        spell = Spell(since: since, last: now)
        return since
    }

    /// Starts anew if the operation now follows another scan.
    private mutating func begin(_ scan: Scan) {
        if scan.reference != reference { self = ScanPatience(reference: scan.reference) }
    }
}
