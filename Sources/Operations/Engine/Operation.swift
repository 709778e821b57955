package import Kernel

/// One face login from its start to its end: who asked, for whom, under which client's policy, and where it stands.
///
/// Ids that a client or a browser holds are here as digests only. ``OperationMachine`` is the one place that changes
/// ``state``; every change raises ``seq`` by one, and the store accepts it only over the version it was made from.
package struct Operation: Sendable, Equatable {
    /// What logs and the CLI show.
    package let id: OperationRowID
    /// SHA-256 of the id that the client polls with.
    package let publicID: Digest256
    /// SHA-256 of the ticket in the landing page's address.
    package let ticket: Digest256
    /// The person who is to sign in; `nil` makes it a decoy, which no provider ever hears of.
    package let account: AccountID?
    /// The linked device that started it, where one was proved.
    package let device: DeviceID?
    /// What that device was proved by.
    package let deviceProof: DeviceProofKind?
    /// The tag of the language that the account's owner is told of its end in, where that is by mail.
    package let language: String?
    /// The provider that does the scan; another one after a scan began there.
    package private(set) var provider: ProviderName
    /// The client's policy as it was at the start.
    package let policy: ClientPolicy
    /// The PKCE code challenge, S256 (RFC 7636 §4.2); with it only the verifier's holder collects.
    package let codeChallenge: Digest256?
    /// SHA-256 of the binding cookie that the start's answer set.
    package let bindingCookie: Digest256
    package let createdAt: Instant
    package let purpose: OperationPurpose
    /// A verdict that is learnt at this time or later grants nothing.
    package private(set) var deadline: Instant
    /// Whether a poll has brought the binding cookie: from then on nothing collects without it.
    package private(set) var isBound: Bool
    package private(set) var state: OperationState
    package private(set) var binding: OperationBinding
    /// The row's version.
    package private(set) var seq: Int64

    /// An operation; what is not given is that of one that begins now.
    ///
    /// - Parameter deadline: When it ends; `nil` means its policy's lifetime from its start on.
    package init(
        id: OperationRowID,
        publicID: Digest256,
        ticket: Digest256,
        account: AccountID?,
        device: DeviceID?,
        provider: ProviderName,
        policy: ClientPolicy,
        codeChallenge: Digest256?,
        bindingCookie: Digest256,
        createdAt: Instant,
        deadline: Instant? = nil,
        isBound: Bool = false,
        state: OperationState = .created,
        seq: Int64 = 1,
        binding: OperationBinding = OperationBinding(),
        purpose: OperationPurpose = .login,
        deviceProof: DeviceProofKind? = nil,
        language: String? = nil
    ) {
        self.id = id
        self.publicID = publicID
        self.ticket = ticket
        self.account = account
        self.device = device
        self.provider = provider
        self.policy = policy
        self.codeChallenge = codeChallenge
        self.bindingCookie = bindingCookie
        self.createdAt = createdAt
        self.deadline = deadline ?? createdAt + policy.lifetime
        self.isBound = isBound
        self.state = state
        self.seq = seq
        self.binding = binding
        self.purpose = purpose
        self.deviceProof = deviceProof
        self.language = language
    }

    package var isDecoy: Bool { account == nil }

    /// Until when it can look pending to its rightful caller: its deadline, or once a scan is approved that waits for the
    /// browser's return, the end of the time for collecting it.
    package var pendingUntil: Instant {
        guard case .approved(let approval) = state else { return deadline }
        return approval.at + policy.approvalWindow
    }

    /// The next version, in another state.
    ///
    /// Only the machine calls it.
    func advanced(to state: OperationState, at provider: ProviderName, binding: OperationBinding) -> Operation {
        var next = self
        next.state = state
        next.provider = provider
        next.binding = binding
        next.seq += 1
        return next
    }

    /// The same version, tied to its binding cookie.
    package func bound() -> Operation {
        var next = self
        next.isBound = true
        return next
    }

    /// The same version with no time ahead of `now` that its policy does not allow: a wall clock that was set back
    /// while the daemon was down must not prolong an operation.
    func clamped(to now: Instant) -> Operation {
        var next = self
        // One that was over by its deadline stays so for those who see nothing but the deadline.
        let isPast = state.endedAt.map { $0 >= deadline } ?? false
        next.deadline = min(deadline, isPast ? now : now + policy.lifetime)
        next.state = state.clamped(to: now)
        return next
    }

    /// The same version once it has left the cache, from the store.
    ///
    /// By its row it may be there still, or have a deadline ahead, when the wall clock was set back since: it is over all
    /// the same, also for those who see nothing but the deadline.
    func departed(at now: Instant) -> Operation {
        guard let end = state.endedAt, end + OperationCache.terminalStay > now else { return self }
        var next = self
        next.deadline = min(deadline, now)
        return next
    }
}
