import Kernel
import Synchronization
import X509

@testable import Passkeys

/// Anchors that say what they are told to, and keep what they were asked.
final class ScriptedAnchors: AttestationAnchors {
    struct Question: Sendable, Equatable {
        let format: String
        let aaguid: AAGUID
        let now: Instant
    }

    private let answer: Bool
    private let asked = Mutex<[Question]>([])

    init(_ answer: Bool) { self.answer = answer }

    var questions: [Question] { asked.withLock { $0 } }

    func anchors(_ path: [Certificate], format: String, aaguid: AAGUID, at now: Instant) async -> Bool {
        asked.withLock { $0.append(Question(format: format, aaguid: aaguid, now: now)) }
        return answer
    }
}

/// A format whose statements are what the test says they are.
struct ScriptedFormat: AttestationFormat {
    let identifier = "scripted"
    let type: AttestationType

    func verify(_ input: AttestationInput) throws(AttestationFault) -> AttestationResult { AttestationResult(type) }
}
