package import Kernel
import Synchronization
package import X509

/// The current trust in attestations, which can be replaced while attestations are checked.
package final class CurrentTrust: AttestationAnchors {
    private let current: Mutex<AttestationTrust>

    package init(_ trust: AttestationTrust) { current = Mutex(trust) }

    package func replace(with trust: AttestationTrust) { current.withLock { $0 = trust } }

    package func assess(
        _ path: [Certificate],
        format: String,
        model: AttestedModel,
        at now: Instant
    ) async throws(TrustError) -> [Certificate] {
        let trust = current.withLock { $0 }
        return try await trust.assess(path, format: format, model: model, at: now)
    }

    package func assessSelf(aaguid: AAGUID, at now: Instant) throws(TrustError) {
        let trust = current.withLock { $0 }
        try trust.assessSelf(aaguid: aaguid, at: now)
    }
}
