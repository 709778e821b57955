package import Kernel

/// The request of a device without a browser, and a person's decision on another device (RFC 8628).
///
/// The device holds the device code, and the person reads the user code from its screen; a row has digests of both.
package struct DeviceAuthorization: Sendable, Equatable {
    /// SHA-256 of the device code.
    package let deviceCode: Digest256
    /// See ``UserCodeKey``.
    package let userCode: Digest256
    package let access: RequestedAccess
    /// The keyed digest of the request's source, by which open requests are limited.
    package let source: Digest256
    /// The origin that the person is shown.
    package let origin: Origin
    package private(set) var state: State
    package let createdAt: Instant
    package let expiresAt: Instant

    package init(
        deviceCode: Digest256,
        userCode: Digest256,
        access: RequestedAccess,
        source: Digest256,
        origin: Origin,
        state: State = .pending,
        createdAt: Instant,
        expiresAt: Instant
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.access = access
        self.source = source
        self.origin = origin
        self.state = state
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// The origin of a request, in this server's words.
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

    /// A state without its values, over which changes are made.
    package enum Stage: String, Sendable, CaseIterable {
        case pending, approved, denied, redeemed
    }

    /// The person who approved, and their proof of identity.
    package struct Approval: Sendable, Equatable {
        package let account: AccountID
        package let authentication: AuthenticationContext

        package init(account: AccountID, authentication: AuthenticationContext) {
            self.account = account
            self.authentication = authentication
        }
    }

    /// Whether a person can still decide.
    package func isOpen(at now: Instant) -> Bool { state == .pending && now < expiresAt }

    /// Returns the request after a person's decision; `nil` if it is too late for one.
    func decided(_ decision: DeviceDecision, at now: Instant) -> DeviceAuthorization? {
        guard isOpen(at: now) else { return nil }
        switch decision {
        case .allow(let approval): return with(.approved(approval))
        case .deny: return with(.denied)
        }
    }

    /// Returns the grant for a device that polls now.
    ///
    /// - Throws: ``OAuthError`` (RFC 8628 §3.5). Another client's code is unknown, whatever its state.
    func grant(to clientID: String, at now: Instant) throws(OAuthError) -> AuthorizedGrant {
        guard access.clientID == clientID else { throw Self.unknownCode }
        switch state {
        case .redeemed: throw Self.unknownCode
        case .denied: throw OAuthError(.accessDenied, "The person said no.")
        case .pending where now < expiresAt:
            throw OAuthError(.authorizationPending, "The person has not answered yet.")
        case .approved(let approval) where now < expiresAt:
            return access.granted(by: approval.account, approval.authentication)
        case .pending, .approved:
            throw OAuthError(.expiredToken, "The device code has expired. Ask for a new one when the person wants it.")
        }
    }

    /// Returns the request after its tokens were issued; its approval is forgotten.
    func redeemed() -> DeviceAuthorization { with(.redeemed) }

    static let unknownCode = OAuthError(
        .invalidGrant,
        "The device code is not of this client, or was used. Ask for a new one."
    )

    private func with(_ state: State) -> DeviceAuthorization {
        var authorization = self
        authorization.state = state
        return authorization
    }
}

/// A person's decision on a device's request.
package enum DeviceDecision: Sendable, Equatable {
    case allow(DeviceAuthorization.Approval)
    case deny
}
