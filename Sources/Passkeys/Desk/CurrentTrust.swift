package import Kernel
import Synchronization
package import X509

/// The trust that is in force: it is read again while attestations are looked at.
package final class CurrentTrust: AttestationAnchors {
    private let current: Mutex<AttestationTrust>

    package init(_ trust: AttestationTrust) { current = Mutex(trust) }

    package func replace(with trust: AttestationTrust) { current.withLock { $0 = trust } }

    package func anchors(
        _ path: [Certificate],
        format: String,
        aaguid: AAGUID,
        at now: Instant
    ) async -> Bool {
        let trust = current.withLock { $0 }
        return await trust.anchors(path, format: format, aaguid: aaguid, at: now)
    }
}
