package import Kernel

/// One face operation from its start to its end: its initiator, its account, its client's policy and its state.
///
/// Ids that a client or a browser holds are kept as digests only. Only ``OperationMachine`` changes ``state``. Every
/// change raises ``seq`` by one, and the database accepts it only over the previous version.
package struct Operation: Sendable, Equatable {
    /// The id that logs and the CLI show.
    package let id: OperationRowID
    package private(set) var credentials: Credentials
    package let request: Request
    package private(set) var validity: Validity
    /// The provider of the scan, which a failover changes when a scan begins at another provider.
    package private(set) var provider: ProviderName
    package private(set) var state: OperationState
    package private(set) var binding: OperationBinding
    package private(set) var version: Version

    /// Creates an operation, by default a new one.
    package init(
        id: OperationRowID,
        credentials: Credentials,
        request: Request,
        validity: Validity,
        provider: ProviderName,
        state: OperationState = .created,
        binding: OperationBinding = OperationBinding(),
        version: Version = Version(seq: 1)
    ) {
        self.id = id
        self.credentials = credentials
        self.request = request
        self.validity = validity
        self.provider = provider
        self.state = state
        self.binding = binding
        self.version = version
    }

    /// The version's number.
    package var seq: Int64 { version.seq }

    package var isDecoy: Bool { request.account == nil }

    /// The time until which the operation can look pending to its rightful caller.
    ///
    /// That is its deadline, or the end of the approval window while an approval waits for the browser's return.
    package var pendingUntil: Instant {
        guard case .approved(let approval) = state else { return validity.deadline }
        return approval.at + request.policy.timing.approvalWindow
    }

    /// Returns the next version, in another state, for ``OperationMachine`` only.
    func advanced(to state: OperationState, at provider: ProviderName, binding: OperationBinding) -> Operation {
        var next = self
        next.state = state
        next.provider = provider
        next.binding = binding
        next.version = Version(seq: seq + 1, writer: version.writer)
        return next
    }

    /// Returns the same version as written by that daemon, which follows it then.
    package func written(by node: NodeName) -> Operation {
        var next = self
        next.version = Version(seq: seq, writer: node)
        return next
    }

    /// Returns the same version, marked as bound to its binding cookie.
    package func bound() -> Operation {
        var next = self
        next.credentials.isBound = true
        return next
    }

    /// Returns the same version without the provider's page.
    func withoutPage() -> Operation {
        guard case .pending(let scan) = state else { return self }
        var next = self
        next.state = .pending(scan.withoutPage())
        return next
    }

    /// Returns the same version, with each time limited to what its policy allows after `now`.
    ///
    /// A wall clock that was set back while the daemon was stopped must not prolong an operation.
    func clamped(to now: Instant) -> Operation {
        var next = self
        // Unproven callers see nothing but the deadline. If the operation ended after its deadline, they keep seeing it
        // as expired.
        let isPast = state.endedAt.map { $0 >= validity.deadline } ?? false
        next.validity.deadline = min(validity.deadline, isPast ? now : now + request.policy.timing.lifetime)
        next.state = state.clamped(to: now)
        return next
    }

    /// Returns the same version for reading from the database after the operation has left the cache.
    ///
    /// If the wall clock was set back, the deadline may still be in the future. It is moved to `now`, because unproven
    /// callers see nothing but the deadline.
    func departed(at now: Instant) -> Operation {
        guard let end = state.endedAt, end + OperationCache.terminalStay > now else { return self }
        var next = self
        next.validity.deadline = min(validity.deadline, now)
        return next
    }
}

extension Operation {
    /// The digests of the secrets that callers present for an operation: its initiator, and the browser at its page.
    package struct Credentials: Sendable, Equatable {
        /// SHA-256 of the id that the client polls with.
        package let publicID: Digest256
        /// SHA-256 of the ticket in the landing page's address.
        package let ticket: Digest256
        /// SHA-256 of the binding cookie that the answer to the start set.
        package let bindingCookie: Digest256
        /// The PKCE code challenge, S256 (RFC 7636 §4.2), whose verifier a collection then needs.
        package let codeChallenge: Digest256?
        /// Whether a poll has presented the binding cookie, so that a collection needs the cookie.
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

    /// The request that started the operation: its account, device, purpose and policy.
    ///
    /// It never changes.
    package struct Request: Sendable, Equatable {
        /// The account that is to sign in; `nil` for a decoy, which never reaches a provider.
        package let account: AccountID?
        /// The linked device that started the operation; `nil` if no device was proved.
        package let device: DeviceID?
        /// The kind of proof of that device.
        package let deviceProof: DeviceProofKind?
        /// The language tag for a mail to the owner about the operation's end.
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

    /// The version of the operation's row.
    package struct Version: Sendable, Equatable {
        /// Counts the transitions, from 1.
        package let seq: Int64
        /// The daemon that wrote the version, and follows the operation until another one writes the next.
        package let writer: NodeName

        package init(seq: Int64, writer: NodeName = .first) {
            self.seq = seq
            self.writer = writer
        }
    }

    /// The time in which an approving verdict counts.
    package struct Validity: Sendable, Equatable {
        package let createdAt: Instant
        /// A verdict at this time or later grants nothing.
        package fileprivate(set) var deadline: Instant

        package init(createdAt: Instant, deadline: Instant) {
            self.createdAt = createdAt
            self.deadline = deadline
        }

        /// Creates the validity of an operation that begins at `now` under its client's policy.
        package init(from now: Instant, under policy: ClientPolicy) {
            self.init(createdAt: now, deadline: now + policy.timing.lifetime)
        }
    }
}
