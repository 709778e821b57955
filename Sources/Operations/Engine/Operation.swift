package import Kernel

/// One face login from its start to its end: its initiator, its account, its client's policy and its state.
///
/// Ids that a client or a browser holds are kept as digests only. ``OperationMachine`` is the one place that changes
/// ``state``; every change raises ``seq`` by one, and the store accepts it only over the previous version.
package struct Operation: Sendable, Equatable {
    /// The id that logs and the CLI show.
    package let id: OperationRowID
    package private(set) var credentials: Credentials
    package let request: Request
    package private(set) var validity: Validity
    /// The provider of the scan; a failover changes it when a scan begins there.
    package private(set) var provider: ProviderName
    package private(set) var state: OperationState
    package private(set) var binding: OperationBinding
    /// The row's version.
    package private(set) var seq: Int64

    /// Creates an operation; the defaults are those of a new one.
    package init(
        id: OperationRowID,
        credentials: Credentials,
        request: Request,
        validity: Validity,
        provider: ProviderName,
        state: OperationState = .created,
        binding: OperationBinding = OperationBinding(),
        seq: Int64 = 1
    ) {
        self.id = id
        self.credentials = credentials
        self.request = request
        self.validity = validity
        self.provider = provider
        self.state = state
        self.binding = binding
        self.seq = seq
    }

    package var isDecoy: Bool { request.account == nil }

    /// The time until which it can look pending to its rightful caller: its deadline, or the end of the approval window
    /// while an approval waits for the browser's return.
    package var pendingUntil: Instant {
        guard case .approved(let approval) = state else { return validity.deadline }
        return approval.at + request.policy.timing.approvalWindow
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
        next.credentials.isBound = true
        return next
    }

    /// Returns the same version without times further ahead of `now` than its policy allows.
    ///
    /// A wall clock that was set back while the daemon was down must not prolong an operation.
    func clamped(to now: Instant) -> Operation {
        var next = self
        // An operation that ended after its deadline stays expired for callers that see nothing but the deadline.
        let isPast = state.endedAt.map { $0 >= validity.deadline } ?? false
        next.validity.deadline = min(validity.deadline, isPast ? now : now + request.policy.timing.lifetime)
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
        next.validity.deadline = min(validity.deadline, now)
        return next
    }
}

extension Operation {
    /// The digests of what callers present for an operation: its initiator and the browser at its page.
    package struct Credentials: Sendable, Equatable {
        /// SHA-256 of the id that the client polls with.
        package let publicID: Digest256
        /// SHA-256 of the ticket in the landing page's address.
        package let ticket: Digest256
        /// SHA-256 of the binding cookie that the start's answer set.
        package let bindingCookie: Digest256
        /// The PKCE code challenge, S256 (RFC 7636 §4.2); with it only the verifier's holder collects.
        package let codeChallenge: Digest256?
        /// Whether a poll has presented the binding cookie: from then on it is needed for a collection.
        package fileprivate(set) var isBound: Bool

        package init(
            publicID: Digest256,
            ticket: Digest256,
            bindingCookie: Digest256,
            codeChallenge: Digest256? = nil,
            isBound: Bool = false
        ) {
            self.publicID = publicID
            self.ticket = ticket
            self.bindingCookie = bindingCookie
            self.codeChallenge = codeChallenge
            self.isBound = isBound
        }
    }

    /// What the start asked for: whose face, from which device, for what, and under which policy.
    ///
    /// None of it changes.
    package struct Request: Sendable, Equatable {
        /// The account that is to sign in; `nil` makes it a decoy, which never reaches a provider.
        package let account: AccountID?
        /// The linked device that started it, where a device was proved.
        package let device: DeviceID?
        /// The kind of proof of that device.
        package let deviceProof: DeviceProofKind?
        /// The tag of the language of a mail to the owner about its end.
        package let language: String?
        package let purpose: OperationPurpose
        /// The client's policy as it was at the start.
        package let policy: ClientPolicy

        package init(
            account: AccountID?,
            device: DeviceID?,
            deviceProof: DeviceProofKind? = nil,
            language: String? = nil,
            purpose: OperationPurpose = .login,
            policy: ClientPolicy
        ) {
            self.account = account
            self.device = device
            self.deviceProof = deviceProof
            self.language = language
            self.purpose = purpose
            self.policy = policy
        }
    }

    /// The time in which a verdict grants something.
    package struct Validity: Sendable, Equatable {
        package let createdAt: Instant
        /// A verdict that arrives at this time or later grants nothing.
        package fileprivate(set) var deadline: Instant

        package init(createdAt: Instant, deadline: Instant) {
            self.createdAt = createdAt
            self.deadline = deadline
        }

        /// Creates the validity of an operation that begins now, under its client's policy.
        package init(from now: Instant, under policy: ClientPolicy) {
            self.init(createdAt: now, deadline: now + policy.timing.lifetime)
        }
    }
}
