import Accounts
import FaceProviders
import Kernel
import Logging
import Operations
import Outbound

/// The configured providers, each with a client of its own, so that one's outage holds up no other.
struct ProviderShelf: ProviderDirectory {
    /// What the engine calls, in the order of their names.
    let guarded: [GuardedFaceProvider]
    private let adapters: [String: AuthIDProvider]
    private let clients: [OutboundHTTP]

    init(_ settings: [String: ProviderSettings], facts: Facts, logger: Logger) {
        var adapters: [String: AuthIDProvider] = [:]
        var guarded: [GuardedFaceProvider] = []
        var clients: [OutboundHTTP] = []
        for (name, provider) in settings.sorted(by: { $0.key < $1.key }) {
            let policy = provider.guarding.policy(requestTimeout: provider.requestTimeout)
            switch provider {
            case .authID(let authID):
                let configuration = AuthIDConfiguration(name, authID)
                let http = OutboundHTTP(configuration.outboundLimits, clock: facts.clock)
                let adapter = AuthIDProvider(configuration, http: http, facts: facts, logger: logger)
                adapters[name] = adapter
                guarded.append(GuardedFaceProvider(adapter, policy, facts: facts, logger: logger))
                clients.append(http)
            }
        }
        self.guarded = guarded
        self.adapters = adapters
        self.clients = clients
    }

    var providers: [String] { adapters.keys.sorted() }

    func create(
        reference: String,
        displayName: String,
        email: String?,
        at provider: String
    ) async throws(AccountFault) {
        guard let adapter = adapters[provider] else { throw .unknownProvider(provider) }
        let creation: AccountCreation
        do throws(ProviderFailure) {
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

    func shutdown() async {
        for client in clients { await client.shutdown() }
    }
}

extension AuthIDConfiguration {
    init(_ name: String, _ settings: AuthIDSettings) {
        self.init(
            name: ProviderName(name),
            baseURL: settings.baseURL,
            pageURL: settings.pageURL,
            keyID: settings.keyID,
            keyValue: settings.keyValue,
            connectTimeout: settings.connectTimeout,
            requestTimeout: settings.requestTimeout,
            checkConcurrency: settings.maxConcurrentChecks,
            startConcurrency: settings.guarding.maxConcurrentStarts,
            maxResponseBytes: settings.maxResponseBytes
        )
    }
}
