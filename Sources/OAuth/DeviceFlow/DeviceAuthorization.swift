package import Kernel

/// The request of a device without a browser.
///
/// A person decides about it on another device (RFC 8628).
///
/// The device holds the device code and shows the user code to the person. The database has only digests of both codes.
package struct DeviceAuthorization: Sendable, Equatable {
    /// SHA-256 of the device code.
    package let deviceCode: Digest256
    /// The digest of the user code.
    ///
    /// See ``UserCodeKey``.
    package let userCode: Digest256
    package let access: RequestedAccess
    /// The keyed digest of the address from which the request came.
    ///
    /// The open requests of one address are limited.
    package let source: Digest256
    /// The origin of the request that the person is shown.
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

    /// The origin of a request, as this server found it.
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
        /// The device has received its tokens.
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

    /// A state without its values.
    ///
    /// A change names the stage that it expects in the database.
    package enum Stage: String, Sendable, CaseIterable {
        case pending, approved, denied, redeemed
    }

    /// The person who approved the request, and their proof of identity.
    package struct Approval: Sendable, Equatable {
        package let account: AccountID
        package let authentication: AuthenticationContext

        package init(account: AccountID, authentication: AuthenticationContext) {
            self.account = account
            self.authentication = authentication
        }
    }

    /// Whether a person can still decide about the request.
    package func isOpen(at now: Instant) -> Bool { state == .pending && now < expiresAt }

    /// Returns the request after a person's decision; `nil` if the request is already decided or has expired.
    func decided(_ decision: DeviceDecision, at now: Instant) -> DeviceAuthorization? {
        guard isOpen(at: now) else { return nil }
        switch decision {
        case .allow(let approval): return with(.approved(approval))
        case .deny: return with(.denied)
        }
    }

    /// Returns the grant of the request for a poll at `now`.
    ///
    /// - Throws: ``OAuthError`` (RFC 8628 §3.5). Another client's code is treated as unknown, whatever its state.
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

    /// Returns the request after its tokens were issued.
    ///
    /// The approval is removed from it.
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
