import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// A device, a person and the service between them, in virtual time.
struct DeviceFlowFixture: Sendable {
    let time = VirtualTime()
    let disk = MemoryDisk()
    let storage: MemoryStorage
    let environment: Environment
    let service: DeviceFlowService

    static let ada = AccountID(UUIDBits(high: 0xA, low: 1))

    init(seed: UInt64 = 1, environment own: ((Environment) -> Environment)? = nil) {
        storage = disk.open()
        let environment = time.environment(seed: seed)
        self.environment = own?(environment) ?? environment
        service = DeviceFlowService(
            environment: self.environment,
            unitOfWork: storage.unitOfWork,
            store: storage.deviceAuthorizations,
            key: UserCodeKey(Digest256(sha256: "key of the tests")),
            policy: DeviceFlowPolicy()
        )
    }

    static func client(
        _ id: String = "tv",
        grants: Set<OAuthClient.GrantType> = [.deviceCode],
        scopes: Set<String> = ["openid", "email", "offline_access"],
        resources: [String] = ["https://api.example.com"]
    ) -> OAuthClient {
        OAuthClient(
            id: id,
            name: "Television",
            origin: .added,
            authentication: .none,
            access: OAuthClient.Access(grants: grants, scopes: ScopeSet(scopes), audience: id, resources: resources)
        )
    }

    static func order(
        _ client: OAuthClient = client(),
        scope: String? = "openid email",
        resources: [String] = ["https://api.example.com"],
        source: String = "here"
    ) throws(OAuthError) -> DeviceFlowRequest {
        try DeviceFlowRequest(
            scope: scope,
            resources: resources,
            by: client,
            from: DeviceAuthorization.Origin(address: "192.0.2.7", agent: "Safari, Linux"),
            source: Digest256(sha256: source)
        )
    }

    func begin(_ client: OAuthClient = client()) async throws -> BegunDeviceFlow {
        try await service.begin(Self.order(client))
    }

    var approval: DeviceAuthorization.Approval {
        DeviceAuthorization.Approval(
            account: Self.ada,
            authentication: AuthenticationContext(methods: ["hwk", "user"], at: environment.now())
        )
    }

    /// Whether the word counted.
    func decide(_ code: UserCode, _ decision: DeviceDecision) async throws -> Bool {
        let service = service
        return try await storage.unitOfWork.run { try service.decide(code, decision, in: $0) != nil }
    }

    func allow(_ code: UserCode) async throws -> Bool { try await decide(code, .allow(approval)) }

    /// Returns the answer to a device that polls.
    func redeem(_ begun: BegunDeviceFlow, by id: String = "tv") async throws -> Result<AuthorizedGrant, OAuthError> {
        let (service, code) = (service, begun.deviceCode.expose())
        let client = AuthenticatedClient(client: Self.client(id), method: .none)
        do {
            try await service.poll(code, by: client)
            return .success(try await storage.unitOfWork.run { try service.redeem(code, by: client, in: $0) })
        } catch let error as OAuthError { return .failure(error) }
    }

    /// The code of the error that a device is told; `nil` where it gets its grant.
    func refusal(_ begun: BegunDeviceFlow, by id: String = "tv") async throws -> OAuthErrorCode? {
        switch try await redeem(begun, by: id) {
        case .success: nil
        case .failure(let error): error.code
        }
    }
}
