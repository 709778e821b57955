import Kernel
import MemoryStore

@testable import Sessions

/// A refresh token as a client holds it: a number stands for the `jti`, and the server's secret function of it for the
/// successor's.
struct HeldToken: Hashable, Sendable {
    let session: SessionID
    /// How many rotations the line has behind it.
    let generation: UInt64

    var key: Digest256 { Self.key(session, generation) }
    var next: HeldToken { HeldToken(session: session, generation: generation + 1) }

    private static func key(_ session: SessionID, _ generation: UInt64) -> Digest256 {
        var bytes = [UInt8](repeating: 0, count: 32)
        for index in 0..<8 {
            bytes[index] = UInt8(truncatingIfNeeded: session.bits.low >> UInt64(8 * index))
            bytes[8 + index] = UInt8(truncatingIfNeeded: generation >> UInt64(8 * index))
        }
        return Digest256(bytes) ?? .zero
    }
}

/// Accounts and devices that are what the test says.
struct ScriptedSubjects: RefreshSubjects {
    /// The proof that its holder presents beside the token.
    static let credential = Digest256([UInt8](repeating: 0xC, count: 32)) ?? .zero
    static let key = Digest256([UInt8](repeating: 0xE, count: 32)) ?? .zero

    let disabled: @Sendable (AccountID) -> Bool

    func mayContinue(_ session: Session, in transaction: borrowing Transaction) throws -> Bool {
        !disabled(session.account)
    }

    func proof(
        _ evidence: RefreshEvidence,
        of session: Session,
        in transaction: borrowing Transaction
    ) throws -> RefreshProof {
        switch evidence.credential {
        case Self.credential: .credential
        case Self.key: .key
        default: .none
        }
    }
}

extension RefreshOutcome {
    /// The caller's answer: the same for a rotation and for a repetition.
    var told: String {
        switch self {
        case .granted(let grant): grant.successor.map { "\($0)" } ?? "kept"
        case .refused(let refusal): "\(refusal)"
        }
    }
}
