package import Accounts
package import FaceProviders
package import Kernel
package import Logging
package import Operations
import Outbound
package import Settings

/// The configured providers, each with its own HTTP client, so that one provider's outage delays no other provider.
package struct ProviderRegistry: ProviderDirectory {
    /// The providers that the operation engine calls, ordered by name.
    let guarded: [GuardedFaceProvider]
    private let adapters: [String: Adapter]
    private let clients: [OutboundHTTP]

    /// An adapter by its kind, for the operations that only some kinds support.
    private enum Adapter {
        case authID(AuthIDProvider)
        case http(HTTPTemplateProvider)

        var provider: any FaceProvider {
            switch self {
            case .authID(let provider): provider
            case .http(let provider): provider
            }
        }
    }

    /// `daemons`: Returns the number of daemons that share the providers' slots.
    package init(
        _ settings: [String: ProviderSettings],
        publicURL: String,
        environment: Environment,
        logger: Logger,
        daemons: @escaping @Sendable () -> Int = { 1 }
    ) {
        var adapters: [String: Adapter] = [:]
        var clients: [OutboundHTTP] = []
        for (name, provider) in settings {
            precondition(provider.adapter.isWhole, "a provider is made of a config whose checks passed")
            let http = OutboundHTTP(provider.outboundLimits, clock: environment.clock)
            clients.append(http)
            switch provider.adapter {
            case .authID(let account):
                adapters[name] = .authID(
                    AuthIDProvider(
                        account,
                        named: ProviderName(name),
                        http: http,
                        environment: environment,
                        logger: logger
                    )
                )
            case .http(let described):
                adapters[name] = .http(
                    HTTPTemplateProvider(
                        described,
                        named: ProviderName(name),
                        publicURL: publicURL,
                        http: http,
                        environment: environment,
                        logger: logger
                    )
                )
            }
        }
        self.guarded = adapters.sorted { $0.key < $1.key }.compactMap { name, adapter in
            settings[name].map { provider in
                GuardedFaceProvider(
                    adapter.provider,
                    provider.guardPolicy,
                    environment: environment,
                    logger: logger,
                    daemons: daemons
                )
            }
        }
        self.adapters = adapters
        self.clients = clients
    }

    /// Returns the provider of that name without its guard, for `provider test`.
    package func provider(_ name: String) -> (any FaceProvider)? { adapters[name]?.provider }

    /// Returns the provider if its kind is `http`.
    package func described(_ name: String) -> HTTPTemplateProvider? {
        if case .http(let provider)? = adapters[name] { provider } else { nil }
    }

    package var providers: [String] { adapters.keys.sorted() }

    package func create(
        reference: String,
        displayName: String,
        email: String?,
        at provider: String
    ) async throws(AccountError) {
        guard let adapter = adapters[provider] else { throw .unknownProvider(provider) }
        switch adapter {
        case .authID(let authID):
            try await create(reference: reference, displayName: displayName, email: email, at: provider, authID)
        // The accounts of such a provider are created there. The operator gives the reference with --provider-account.
        case .http: throw .providerAccountNeeded(provider)
        }
    }

    private func create(
        reference: String,
        displayName: String,
        email: String?,
        at provider: String,
        _ adapter: AuthIDProvider
    ) async throws(AccountError) {
        let creation: AccountCreation
        do throws(ProviderError) {
            creation = try await adapter.createAccount(number: reference, displayName: displayName, email: email)
        } catch {
            switch error {
            case .unavailable(let cause), .unreached(let cause), .heldBack(let cause), .refused(let cause):
                throw .providerFailed(provider: provider, cause: cause)
            }
        }
        switch creation {
        case .created: break
        case .existed: throw .providerAccountTaken(reference)
        }
    }

    package func shutdown() async {
        for client in clients { await client.shutdown() }
    }
}

extension ProviderSettings.Adapter {
    /// Whether all keys were read that decide where requests go, and what an approval requires.
    fileprivate var isWhole: Bool {
        switch self {
        case .authID(let account): return !account.baseURL.isEmpty && !account.pageURL.isEmpty
        case .http(let described):
            let requests = [described.begin.request, described.check.request] + [described.cancel].compactMap(\.self)
            return !described.baseURL.isEmpty && requests.allSatisfy { $0.path != .noPath }
                && described.check.requirements.allSatisfy { $0.rule != .equals("") }
        }
    }
}
