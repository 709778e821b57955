import Kernel
import Operations
import SignIn
import Synchronization
import TokenReading

/// A proof of a sign-in or token request that fits its request and is not used yet.
///
/// The proof is used in the same unit of work that grants the request. So a caller without a password, code, key or
/// token fills neither memory nor database, but for pushed requests of public clients, which are limited by address. Of
/// two requests with the same proof at most one is granted, whichever daemon they reach, also after a restart.
final class PresentedProof: Sendable {
    /// The thumbprint of the key that signed the proof.
    let thumbprint: Digest256
    private let mark: UsedMark
    private let marks: any UsedMarkStore
    private let memory: ProofMemory
    private let isUsed = Mutex(false)

    /// `memory` refuses what this process knows to be used, and bounds the number of marks.
    init(_ proof: DPoPProof, marks: any UsedMarkStore, memory: ProofMemory) {
        thumbprint = proof.key.digest
        mark = UsedMark(.proof, of: proof.mark, expiresAt: proof.expiresAt)
        self.marks = marks
        self.memory = memory
    }

    /// The key, for a unit of work that uses the proof and grants the request.
    var presented: PresentedKey { PresentedKey(thumbprint: thumbprint) { [self] in try use(in: $0) } }

    /// Uses up the proof, right before the request is granted, once in each run of the unit.
    ///
    /// Further units of the same request count as the same use. If the unit fails, the proof is free again: nothing was
    /// granted for it.
    /// - Throws: ``APIError/invalidDPoPProof(_:isAccess:)`` if another request has used it;
    ///   ``APIError/rateLimited(for:by:)``; ``StoreError``.
    func use(in transaction: borrowing Transaction) throws {
        guard !isUsed.withLock({ $0 }) else { return }
        switch memory.answer(mark.digest) {
        case .new: break
        case .used: throw Self.replayed
        case .full(let wait): throw APIError.rateLimited(for: wait, by: .dpopProofs)
        }
        guard try marks.use(mark, in: transaction) else { throw Self.replayed }
        transaction.whenDurable { [self] in
            isUsed.withLock { $0 = true }
            _ = memory.note(mark.digest)
        }
    }

    private static let replayed = APIError.invalidDPoPProof(.replayed, isAccess: false)
}

/// A proof that comes with an access token, fits its request and is not used yet.
///
/// This process alone remembers its use: the proof opens nothing by itself, and writing a mark for each request would
/// cost more than the request. With several daemons it is accepted once by each.
struct AccessProof: Sendable {
    /// The id of the key that signed the proof.
    let key: KeyID
    private let mark: Digest256
    private let memory: ProofMemory

    init(_ proof: DPoPProof, memory: ProofMemory) {
        key = proof.key
        mark = proof.mark
        self.memory = memory
    }

    /// Uses up the proof, once the token is known to be valid and bound to the proof's key.
    /// - Throws: ``APIError/invalidDPoPProof(_:isAccess:)`` if another request has used it;
    ///   ``APIError/rateLimited(for:by:)``.
    func use() throws(APIError) {
        switch memory.note(mark) {
        case .new: return
        case .used: throw .invalidDPoPProof(.replayed, isAccess: true)
        case .full(let wait): throw .rateLimited(for: wait, by: .dpopProofs)
        }
    }
}

/// The proofs that were used since the process started.
package struct UsedProofs: Sendable {
    /// The number of proofs within four minutes, which allows four thousand requests a second.
    package static let capacity = 1_048_576

    /// The proofs that came with valid access tokens, refresh tokens and authorization codes.
    ///
    /// They are kept apart from the rest, so that no number of sign-ins locks out a caller who has a token.
    package let withTokens: ProofMemory
    /// The proofs of successful sign-ins.
    package let withoutTokens: ProofMemory

    /// `capacity`: The number of proofs with tokens in one generation; without tokens a quarter of it.
    package init(environment: Environment, capacity: Int = Self.capacity) {
        withTokens = ProofMemory(capacity: capacity, lifetime: DPoPRequest.memory, environment: environment)
        withoutTokens = ProofMemory(capacity: capacity / 4, lifetime: DPoPRequest.memory, environment: environment)
    }
}
