package import Kernel

/// How long answers that say nothing about a scan are borne with.
///
/// Pure; one per followed scan.
package struct ScanPatience: Sendable, Equatable {
    /// Answers in all that could not be made anything of before the scan counts as broken.
    package static let unrecognisedLimit = 3
    /// Providers are eventually consistent: a scan that they do not know yet is borne with for so long.
    package static let unknownFor: Duration = .seconds(15)

    private let reference: ProviderReference
    private var unrecognised = 0

    package init(reference: ProviderReference) { self.reference = reference }

    /// The status to act on, given what was learnt.
    package mutating func judge(_ status: ScanStatus, of scan: Scan, at now: Instant) -> ScanStatus {
        if scan.reference != reference { self = ScanPatience(reference: scan.reference) }
        switch status {
        case .unrecognised, .nonsense:
            unrecognised += 1
            return unrecognised >= Self.unrecognisedLimit ? .broken : status
        case .unknownReference:
            return now - scan.startedAt >= Self.unknownFor ? .broken : .unknownReference
        case .pending, .approved, .rejected, .expired, .canceled, .broken: return status
        }
    }
}
