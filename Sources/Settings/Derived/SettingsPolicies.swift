import FaceProviders
package import HTTPAPI
package import Kernel
package import Operations
package import Outbound
package import Sessions

/// Configuration values of modules that need keys from more than one section.
extension Settings {
    package var clientDirectory: ClientDirectory {
        let names = clientNames
        return ClientDirectory(
            policies: clients.map { $0.policy(faceLogin, name: names[$0.id]) },
            defaultID: defaultClient?.id,
            surfaces: Dictionary(clients.map { ($0.id, Set($0.surfaces)) }, uniquingKeysWith: { first, _ in first })
        )
    }

    /// Returns the refresh policy of a client's sessions, or `nil` for a client that is no longer in the config.
    package var refreshPolicy: @Sendable (String) -> RefreshPolicy? {
        let policies = Dictionary(clients.map { ($0.id, $0.refresh) }, uniquingKeysWith: { first, _ in first })
        return { policies[$0] }
    }

    /// The audiences that this server's tokens may have.
    package var audiences: Set<String> { Set(clients.map(\.audience)) }

    /// The proxies that are trusted to report client addresses.
    ///
    /// The blocks were checked when the config was read. A block that can't be parsed trusts no proxy.
    package var clientAddresses: ClientAddresses {
        ClientAddresses(trusting: listen.trustedProxies.compactMap { try? AddressBlock($0) })
    }

    /// The addresses at which the endpoints of clients may be.
    package var endpointAddresses: AddressRule {
        let own = mode == .laptop ? ["127.0.0.0/8", "::1"] : []
        return AddressRule(allowing: (oauth.privateAddresses + own).compactMap { try? AddressBlock($0) })
    }

    /// The time for which a retired key must verify: the longest lifetime of a token, and a minute for differing
    /// clocks.
    package var longestAccessToken: Duration {
        (clients.map(\.accessTokenLifetime).max() ?? .seconds(3600)) + .seconds(60)
    }

    /// The origins of the providers' scan pages.
    package var scanOrigins: [String] {
        providers.values.flatMap { provider in
            switch provider.adapter {
            case .authID(let authID): [Self.origin(of: authID.pageURL)]
            case .http(let described): described.pageOrigins
            }
        }.sorted()
    }

    private static func origin(of url: String) -> String {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }
}

extension ClientSettings {
    /// Returns what a login of the client keeps of the config, under a name for people.
    package func policy(_ faceLogin: FaceLoginSettings, name shown: String? = nil) -> ClientPolicy {
        ClientPolicy(
            clientID: id,
            audience: audience,
            verifier: verifier,
            initiators: initiators,
            timing: OperationTiming(
                lifetime: faceLogin.lifetime,
                approvalWindow: faceLogin.approvalWindow,
                redemptionWindow: faceLogin.redemptionWindow
            ),
            accessTokenLifetime: accessTokenLifetime,
            refreshTokenLifetime: refresh.idleLifetime,
            landing: LandingPolicy(
                clientName: shown ?? name,
                step: landing ?? faceLogin.landing,
                confirmation: confirmWith,
                returnURLs: returnURLs,
                requiresReturn: requireReturn
            )
        )
    }
}

extension KeySettings {
    /// The keys that encrypt the key folder, the current one first.
    ///
    /// Without a current key there are none: leaving out `sealingKey` does not decrypt the folder.
    package var folderEncryptionKeys: [Secret] { sealingKey.map { [$0] + earlierSealingKeys } ?? [] }

    /// The keys of encrypted rows: the first encrypts, all decrypt.
    package var encryptionKeys: [Secret] { (sealingKey.map { [$0] } ?? []) + earlierSealingKeys }
}
