/// The mark of something that grants once: a proof, an assertion, a signed request or a ticket.
package struct UsedMark: Sendable, Equatable {
    /// The kinds of such things, so that two kinds never share a mark.
    package enum Kind: String, Sendable, CaseIterable {
        /// A DPoP proof that comes with a sign-in or a token request (RFC 9449 §11.1).
        case proof = "dpop-proof"
        /// The assertion that authenticates a client (RFC 7523 §3 item 7).
        case assertion = "client-assertion"
        /// A signed backchannel request (CIBA Core §7.1.1).
        case backchannelRequest = "backchannel-request"
        /// The `state` of an upstream's callback.
        case upstreamState = "upstream-state"
        /// A code of the broker.
        case upstreamCode = "upstream-code"
    }

    /// SHA-256 of the kind and of what is used up: nothing can be replayed from a stolen database.
    package let digest: Digest256
    /// The first instant at which the thing is refused without its mark.
    package let expiresAt: Instant

    /// `used`: What is used up, or a hash of it.
    ///
    /// `expiresAt`: The first instant at which it is refused anyway.
    package init(_ kind: Kind, of used: Digest256, expiresAt: Instant) {
        digest = Digest256(sha256: Array(kind.rawValue.utf8) + [0] + used.bytes)
        self.expiresAt = expiresAt
    }

    /// The time for which an expired mark is kept.
    ///
    /// It is longer than ``SteadyClock/tolerance``: a wall clock that was ahead when marks were deleted, and was set back
    /// afterwards, lets nothing be used again. The clocks of two daemons differ by less too.
    package static let memory: Duration = SteadyClock.tolerance * 2
}

/// Port: the marks of what was used up, shared by all daemons of a database and kept over restarts.
///
/// A mark is used in the unit of work that grants something for it. If that unit fails, the mark is free again, which is
/// right: nothing was granted.
package protocol UsedMarkStore: Sendable {
    /// Stores the mark; returns `false` for a mark that is stored already.
    ///
    /// A unit that uses a mark twice is told `false` the second time. Of units that use it at the same time, one is told
    /// `true`.
    func use(_ mark: UsedMark, in transaction: borrowing Transaction) throws -> Bool
}

/// Uses marks in units of work of their own, for what is granted without a unit.
package struct UsedMarks: Sendable {
    package let store: any UsedMarkStore
    private let unitOfWork: any UnitOfWork

    package init(store: any UsedMarkStore, unitOfWork: any UnitOfWork) {
        self.store = store
        self.unitOfWork = unitOfWork
    }

    /// Stores the mark; returns `false` for a mark that is stored already.
    /// - Throws: ``StoreError``. Then nothing may be granted.
    package func use(_ mark: UsedMark) async throws -> Bool {
        try await unitOfWork.run { [store] in try store.use(mark, in: $0) }
    }
}
