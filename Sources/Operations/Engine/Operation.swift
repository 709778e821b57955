package import Kernel

/// One face login from its start to its end: its initiator, its account, its client's policy and its state.
///
/// Ids that a client or a browser holds are kept as digests only. ``OperationMachine`` is the one place that changes
/// ``state``; every change raises ``seq`` by one, and the store accepts it only over the previous version.
package struct Operation: Sendable, Equatable {
    /// The id that logs and the CLI show.
    package let id: OperationRowID
    /// SHA-256 of the id that the client polls with.
    package let publicID: Digest256
    /// SHA-256 of the ticket in the landing page's address.
    package let ticket: Digest256
    /// The account that is to sign in; `nil` makes it a decoy, which never reaches a provider.
    package let account: AccountID?
    /// The linked device that started it, where a device was proved.
    package let device: DeviceID?
    /// The kind of proof of that device.
    package let deviceProof: DeviceProofKind?
    /// The tag of the language of a mail to the owner about its end.
    package let language: String?
    /// The provider of the scan; a failover changes it when a scan begins there.
    package private(set) var provider: ProviderName
    /// The client's policy as it was at the start.
    package let policy: ClientPolicy
    /// The PKCE code challenge, S256 (RFC 7636 §4.2); with it only the verifier's holder collects.
    package let codeChallenge: Digest256?
    /// SHA-256 of the binding cookie that the start's answer set.
    package let bindingCookie: Digest256
    package let createdAt: Instant
    package let purpose: OperationPurpose
    /// A verdict that arrives at this time or later grants nothing.
    package private(set) var deadline: Instant
    /// Whether a poll has presented the binding cookie: from then on it is needed for a collection.
    package private(set) var isBound: Bool
    package private(set) var state: OperationState
    package private(set) var binding: OperationBinding
    /// The row's version.
    package private(set) var seq: Int64

    /// Creates an operation; the defaults are those of a new one.
    ///
    /// `deadline`: The deadline; `nil` for the start plus the policy's lifetime.
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
        self.deadline = deadline ?? createdAt + policy.timing.lifetime
        self.isBound = isBound
        self.state = state
        self.seq = seq
        self.binding = binding
        self.purpose = purpose
        self.deviceProof = deviceProof
        self.language = language
    }

    package var isDecoy: Bool { account == nil }

    /// The time until which it can look pending to its rightful caller: its deadline, or the end of the approval window
    /// while an approval waits for the browser's return.
    package var pendingUntil: Instant {
        guard case .approved(let approval) = state else { return deadline }
        return approval.at + policy.timing.approvalWindow
    }

    /// Returns the next version, in another state; only the machine calls it.
    func advanced(to state: OperationState, at provider: ProviderName, binding: OperationBinding) -> Operation {
        var next = self
        next.state = state
        next.provider = provider
        next.binding = binding
        next.seq += 1
        return next
    }

    /// Returns the same version, bound to its binding cookie.
    package func bound() -> Operation {
        var next = self
        next.isBound = true
        return next
    }

    /// Returns the same version without times further ahead of `now` than its policy allows.
    ///
    /// A wall clock that was set back while the daemon was down must not prolong an operation.
    func clamped(to now: Instant) -> Operation {
        var next = self
        // An operation that ended after its deadline stays expired for callers that see nothing but the deadline.
        let isPast = state.endedAt.map { $0 >= deadline } ?? false
        next.deadline = min(deadline, isPast ? now : now + policy.timing.lifetime)
        next.state = state.clamped(to: now)
        return next
    }

    /// Returns the same version, read from the store after it has left the cache.
    ///
    /// After the wall clock was set back, its deadline may lie ahead. It is over all the same, also for callers that
    /// see nothing but the deadline.
    func departed(at now: Instant) -> Operation {
        guard let end = state.endedAt, end + OperationCache.terminalStay > now else { return self }
        var next = self
        next.deadline = min(deadline, now)
        return next
    }
}
