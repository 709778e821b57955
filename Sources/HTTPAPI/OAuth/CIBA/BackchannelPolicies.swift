import Kernel
import OAuth
import Operations
import Synchronization

/// Under what terms the operations of backchannel requests are: one instance for all that are alike, which their rows share.
final class BackchannelPolicies: Sendable {
    private static let capacity = 4096

    /// All that a policy is made of.
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

    /// Nobody has agreed before to what somebody else's client asks for: its page is where they do.
    func policy(of client: OAuthClient, for request: BackchannelRequest) -> ClientPolicy {
        let terms = Terms(
            client: client.id,
            name: client.name,
            audience: client.audience,
            delivery: client.backchannel?.delivery ?? .poll,
            lifetime: request.lifetime,
            accessToken: client.accessTokenLifetime,
            refreshToken: client.refreshTokenLifetime,
            asked: client.origin.isFirstParty
                ? nil : LandingPolicy.Asked(scopes: request.scopes.values, resources: request.resources)
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
    /// The page always asks: the person is not where the request comes from.
    ///
    /// The client has proved itself, so that it may start for anybody.
    fileprivate convenience init(_ terms: BackchannelPolicies.Terms) {
        self.init(
            clientID: terms.client,
            audience: terms.audience,
            verifier: .required,
            initiators: .anyone,
            lifetime: terms.lifetime,
            approvalWindow: BackchannelPolicy.collectionWindow(terms.delivery),
            redemptionWindow: BackchannelPolicy.redeliveryWindow(terms.delivery),
            accessTokenLifetime: terms.accessToken,
            refreshTokenLifetime: terms.refreshToken,
            landing: LandingPolicy(clientName: terms.name, step: .confirm, starter: .server, asked: terms.asked)
        )
    }
}
