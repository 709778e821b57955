import Kernel
import OAuth
import Operations
import Synchronization

/// The policies of backchannel operations: operations with equal terms share one instance.
final class BackchannelPolicies: Sendable {
    private static let capacity = 4096

    /// The values that determine a policy.
    fileprivate struct Terms: Hashable {
        let client: String
        let name: String
        let audience: String
        let delivery: OAuthClient.Backchannel.Delivery
        let lifetime: Duration
        let accessToken: Duration
        let refreshToken: Duration
        let asked: LandingPolicy.Asked?
    }

    private let policies = Mutex<[Terms: ClientPolicy]>([:])

    /// Returns the policy of a request; a third-party client's page also asks the person for consent.
    func policy(of client: OAuthClient, for request: BackchannelRequest) -> ClientPolicy {
        let terms = Terms(
            client: client.id,
            name: client.name,
            audience: client.access.audience,
            delivery: client.authorization.backchannel?.delivery ?? .poll,
            lifetime: request.lifetime,
            accessToken: client.tokens.accessTokenLifetime,
            refreshToken: client.tokens.refreshTokenLifetime,
            asked: client.origin.isFirstParty
                ? nil : LandingPolicy.Asked(scopes: request.access.scopes.values, resources: request.access.resources)
        )
        return policies.withLock { policies in
            if let known = policies[terms] { return known }
            if policies.count >= Self.capacity { policies = [:] }
            let policy = ClientPolicy(terms)
            policies[terms] = policy
            return policy
        }
    }
}

extension ClientPolicy {
    /// Creates a policy whose page always asks, because the request comes from another device.
    ///
    /// Any client may start a request for any person, because the client is authenticated.
    fileprivate convenience init(_ terms: BackchannelPolicies.Terms) {
        self.init(
            clientID: terms.client,
            audience: terms.audience,
            verifier: .required,
            initiators: .anyone,
            timing: OperationTiming(
                lifetime: terms.lifetime,
                approvalWindow: BackchannelPolicy.collectionWindow(terms.delivery),
                redemptionWindow: BackchannelPolicy.redeliveryWindow(terms.delivery)
            ),
            accessTokenLifetime: terms.accessToken,
            refreshTokenLifetime: terms.refreshToken,
            landing: LandingPolicy(clientName: terms.name, step: .confirm, starter: .server, asked: terms.asked)
        )
    }
}
