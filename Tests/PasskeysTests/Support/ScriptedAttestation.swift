import Kernel
import Synchronization
import X509

@testable import Passkeys

/// Anchors that say what they are told to, and keep what they were asked.
final class ScriptedAnchors: AttestationAnchors {
    struct Question: Sendable, Equatable {
        let format: String
        let model: AttestedModel
        let now: Instant
    }

    private let fault: TrustError?
    private let asked = Mutex<[Question]>([])

    convenience init(_ answer: Bool) {
        let fault: TrustError? = answer ? nil : .untrusted
        self.init(fault)
    }

    init(_ fault: TrustError?) { self.fault = fault }

    var questions: [Question] { asked.withLock { $0 } }

    func assess(
        _ path: [Certificate],
        format: String,
        model: AttestedModel,
        at now: Instant
    ) async throws(TrustError) -> [Certificate] {
        asked.withLock { $0.append(Question(format: format, model: model, now: now)) }
        if let fault { throw fault }
        return path
    }

    func assessSelf(aaguid: AAGUID, at now: Instant) throws(TrustError) {
        asked.withLock { $0.append(Question(format: "self", model: .claimed(aaguid), now: now)) }
        if let fault { throw fault }
    }
}

/// A format whose statements are what the test says they are.
struct ScriptedFormat: AttestationFormat {
    let identifier = "scripted"
    let type: AttestationType
    var path: [Certificate] = []
    var serialNumber: [UInt8]?

    func verify(_ input: AttestationInput) throws(AttestationError) -> AttestationResult {
        AttestationResult(type, trustPath: path, model: .proven(input.credential.aaguid), serialNumber: serialNumber)
    }
}
