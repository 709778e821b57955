package import Kernel

/// What a device without a browser asks for, and what a person elsewhere has said to it (RFC 8628).
///
/// The device holds the device code, the person reads the user code from its screen; a row has digests of both.
package struct DeviceAuthorization: Sendable, Equatable {
    /// SHA-256 of the device code.
    package let deviceCode: Digest256
    /// See ``UserCodeKey``.
    package let userCode: Digest256
    package let clientID: String
    package let scopes: ScopeSet
    package let resources: [String]
    /// Where it was asked for from, keyed: what a bound on open ones counts by.
    package let source: Digest256
    /// What the person is shown of that.
    package let origin: Origin
    package private(set) var state: State
    package let createdAt: Instant
    package let expiresAt: Instant

    package init(
        deviceCode: Digest256,
        userCode: Digest256,
        clientID: String,
        scopes: ScopeSet,
        resources: [String],
        source: Digest256,
        origin: Origin,
        state: State = .pending,
        createdAt: Instant,
        expiresAt: Instant
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.clientID = clientID
        self.scopes = scopes
        self.resources = resources
        self.source = source
        self.origin = origin
        self.state = state
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Where a request came from, in words of ours.
    package struct Origin: Sendable, Equatable {
        /// An IP address; empty if it is not known.
        package let address: String
        /// The kind of program; empty if it is not known.
        package let agent: String

        package init(address: String, agent: String) {
            self.address = address
            self.agent = agent
        }
    }

    package enum State: Sendable, Equatable {
        case pending
        case approved(Approval)
        case denied
        /// The device has its tokens.
        case redeemed

        package var stage: Stage {
            switch self {
            case .pending: .pending
            case .approved: .approved
            case .denied: .denied
            case .redeemed: .redeemed
            }
        }
    }

    /// A state without what belongs to it: what a change is made over.
    package enum Stage: String, Sendable, CaseIterable {
        case pending, approved, denied, redeemed
    }

    /// Who said yes, and how they had proved who they are.
    package struct Approval: Sendable, Equatable {
        package let account: AccountID
        package let authentication: AuthenticationContext

        package init(account: AccountID, authentication: AuthenticationContext) {
            self.account = account
            self.authentication = authentication
        }
    }

    /// Whether a person can still say something to it.
    package func isOpen(at now: Instant) -> Bool { state == .pending && now < expiresAt }

    /// The same after a person's word; `nil` if it is too late for one.
    func decided(_ decision: DeviceDecision, at now: Instant) -> DeviceAuthorization? {
        guard isOpen(at: now) else { return nil }
        switch decision {
        case .allow(let approval): return with(.approved(approval))
        case .deny: return with(.denied)
        }
    }

    /// What the device gets that asks for its tokens now.
    ///
    /// - Throws: ``OAuthError`` (RFC 8628 §3.5). Another client's code is one that there is not, whatever its state.
    func grant(to clientID: String, at now: Instant) throws(OAuthError) -> AuthorizedGrant {
        guard self.clientID == clientID else { throw Self.unknownCode }
        switch state {
        case .redeemed: throw Self.unknownCode
        case .denied: throw OAuthError(.accessDenied, "The person said no.")
        case .pending where now < expiresAt:
            throw OAuthError(.authorizationPending, "The person has not answered yet.")
        case .approved(let approval) where now < expiresAt: return grant(approval)
        case .pending, .approved:
            throw OAuthError(.expiredToken, "The device code has expired. Ask for a new one when the person wants it.")
        }
    }

    /// The same once its tokens are given out: what it was for is forgotten.
    func redeemed() -> DeviceAuthorization { with(.redeemed) }

    static let unknownCode = OAuthError(
        .invalidGrant,
        "The device code is not one of this client, or was used; ask for a new one."
    )

    private func grant(_ approval: Approval) -> AuthorizedGrant {
        AuthorizedGrant(
            account: approval.account,
            clientID: clientID,
            scopes: scopes,
            resources: resources,
            authentication: approval.authentication
        )
    }

    private func with(_ state: State) -> DeviceAuthorization {
        var authorization = self
        authorization.state = state
        return authorization
    }
}

/// What a person says to a device's request.
package enum DeviceDecision: Sendable, Equatable {
    case allow(DeviceAuthorization.Approval)
    case deny
}
