import Kernel
import MemoryStore
import StoreContract
import Synchronization
import Testing

@testable import OAuth

/// A device asks, a person answers, the device collects.
struct DeviceFlowServiceTests {
    private let fixture = DeviceFlowFixture()

    @Test(arguments: DeviceAuthorizationStoreContract.allCases)
    func `devices' requests in memory keep the contract`(_ promise: DeviceAuthorizationStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(
            over: storage.deviceAuthorizations,
            purge: MemoryExpiringRows.deviceAuthorizations.purge,
            storage.unitOfWork,
            account: DeviceFlowFixture.ada
        )
    }

    @Test func `a device code that was allowed is redeemed once for the requested scopes`() async throws {
        let begun = try await fixture.begin()
        #expect(try await fixture.refusal(begun) == .authorizationPending)
        let shown = try #require(try await fixture.service.pending(begun.userCode))
        #expect(shown.access.clientID == "tv" && shown.access.scopes.text == "email openid")
        #expect(shown.origin == DeviceAuthorization.Origin(address: "192.0.2.7", agent: "Safari, Linux"))
        #expect(shown.createdAt == fixture.environment.now())
        let approval = fixture.approval
        fixture.time.advance(by: .seconds(20))
        #expect(try await fixture.decide(begun.userCode, .allow(approval)))
        #expect(try await fixture.service.pending(begun.userCode) == nil, "it is answered")
        let grant = try await fixture.redeem(begun).get()
        let expected = AuthorizedGrant(
            account: DeviceFlowFixture.ada,
            clientID: "tv",
            scopes: ScopeSet(["openid", "email"]),
            resources: ["https://api.example.com"],
            authentication: approval.authentication
        )
        #expect(grant == expected)
        #expect(try await fixture.refusal(begun) == .invalidGrant)
        #expect(fixture.disk.tables.deviceAuthorizations.map(\.state) == [.redeemed], "nobody's name stays")
    }

    @Test func `a denied device code polls access_denied from then on`() async throws {
        let begun = try await fixture.begin()
        #expect(try await fixture.decide(begun.userCode, .deny))
        #expect(try await fixture.refusal(begun) == .accessDenied)
        fixture.time.advance(by: .seconds(700))
        #expect(try await fixture.refusal(begun) == .accessDenied)
        #expect(try await !fixture.allow(begun.userCode), "a no stays a no")
    }

    @Test func `a request ends at its time, for the person and for the device, answered or not`() async throws {
        let (waiting, approved) = (try await fixture.begin(), try await fixture.begin())
        #expect(try await fixture.allow(approved.userCode))
        fixture.time.advance(by: .milliseconds(599_999))
        #expect(try await fixture.refusal(waiting) == .authorizationPending)
        #expect(try await fixture.service.pending(waiting.userCode) != nil)
        fixture.time.advance(by: .milliseconds(1))
        #expect(try await fixture.refusal(waiting) == .expiredToken)
        #expect(try await fixture.refusal(approved) == .expiredToken)
        #expect(try await fixture.service.pending(waiting.userCode) == nil)
        #expect(try await !fixture.allow(waiting.userCode))
    }

    // O-116, O-117
    @Test func `attack: another client's device code gets invalid_grant, whatever its state`() async throws {
        let begun = try await fixture.begin()
        #expect(try await fixture.refusal(begun, by: "other") == .invalidGrant)
        #expect(try await fixture.allow(begun.userCode))
        #expect(try await fixture.refusal(begun, by: "other") == .invalidGrant)
        let redeemed = try await fixture.redeem(begun)
        #expect(throws: Never.self) { try redeemed.get() }
        let (denied, expired) = (try await fixture.begin(), try await fixture.begin())
        #expect(try await fixture.decide(denied.userCode, .deny))
        #expect(try await fixture.refusal(denied, by: "other") == .invalidGrant)
        fixture.time.advance(by: .seconds(601))
        #expect(try await fixture.refusal(expired, by: "other") == .invalidGrant)
    }

    // O-117
    @Test func `attack: a user code is refused as a device code, and a device code as a user code`() async throws {
        let begun = try await fixture.begin()
        #expect(try await fixture.allow(begun.userCode))
        for text in [begun.userCode.text, "", "x", begun.deviceCode.expose() + "A"] {
            let guess = BegunDeviceFlow(deviceCode: Secret(text), userCode: begun.userCode)
            #expect(try await fixture.refusal(guess) == .invalidGrant, "\(text)")
        }
        #expect(UserCode(typed: begun.deviceCode.expose()) == nil)
    }

    // O-109, O-112
    @Test func `attack: the database holds neither device code nor user code, nor an unkeyed hash of the latter`()
        async throws
    {
        let begun = try await fixture.begin()
        let rows = String(reflecting: fixture.disk.tables)
        #expect(!rows.contains(begun.deviceCode.expose()) && !rows.contains(begun.userCode.text))
        let letters = begun.userCode.text.replacing("-", with: "")
        let row = try #require(fixture.disk.tables.deviceAuthorizations.first)
        #expect(row.userCode != Digest256(sha256: letters) && row.userCode != Digest256(sha256: begun.userCode.text))
        #expect(begun.deviceCode.expose().utf8.count == 43, "256 bits")
    }

    // O-117
    @Test func `attack: of eight concurrent redemptions of each device code one gets a grant`() async throws {
        var begun: [BegunDeviceFlow] = []
        for _ in 0..<100 {
            let one = try await fixture.begin()
            #expect(try await fixture.allow(one.userCode))
            begun.append(one)
        }
        let granted = try await withThrowingTaskGroup(of: Int?.self) { [fixture, begun] group in
            for (number, one) in begun.enumerated() {
                for _ in 0..<8 { group.addTask { try await fixture.refusal(one) == nil ? number : nil } }
            }
            return try await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(granted.sorted() == Array(0..<100))
    }

    // O-117
    @Test func `attack: of eight concurrent decisions on one user code one counts`() async throws {
        for round in 0..<20 {
            let begun = try await fixture.begin()
            let counted = try await withThrowingTaskGroup(of: Bool.self) { [fixture] group in
                for number in 0..<8 {
                    group.addTask {
                        number.isMultiple(of: 2)
                            ? try await fixture.allow(begun.userCode) : try await fixture.decide(begun.userCode, .deny)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(counted == 1, "round \(round)")
        }
    }

    @Test func `a user code that is another's is drawn again`() async throws {
        let draws = Mutex<[[UInt8]]>([])
        let own = DeviceFlowFixture { environment in
            Environment(now: environment.now, clock: environment.clock) { count in
                guard count == UserCode.length else { return environment.randomBytes(count) }
                return draws.withLock { $0.isEmpty ? [UInt8](repeating: 5, count: count) : $0.removeFirst() }
            }
        }
        let first = try await own.begin()
        draws.withLock { $0 = [[5, 5, 5, 5, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5, 5, 5], [6, 6, 6, 6, 6, 6, 6, 6]] }
        let second = try await own.begin()
        #expect(first.userCode != second.userCode && first.deviceCode != second.deviceCode)
        await #expect(
            throws: OAuthError(
                .temporarilyUnavailable,
                "Too many devices are waiting. Try again in a minute.",
                retryAfter: 60
            )
        ) {
            _ = try await own.begin()
        }
        #expect(try await own.service.pending(first.userCode) != nil, "the holder of the code keeps it")
    }

    // T-192
    @Test func `attack: device requests over an address's limit drop that address's own requests alone`() async throws {
        let honest = try await fixture.service.begin(DeviceFlowFixture.order(source: "somebody"))
        for _ in 0..<(DeviceFlowPolicy.openPerSource + 5) {
            _ = try await fixture.service.begin(DeviceFlowFixture.order(source: "flood"))
        }
        #expect(fixture.disk.tables.deviceAuthorizations.count == DeviceFlowPolicy.openPerSource + 1)
        #expect(try await fixture.service.pending(honest.userCode) != nil)
    }
}

/// Tests the requests that a client may make.
struct DeviceFlowRequestTests {
    @Test func `a device request without a scope has none, and one with the client's scopes has those`() throws {
        #expect(try DeviceFlowFixture.order(scope: nil, resources: []).access.scopes.isEmpty)
        #expect(try DeviceFlowFixture.order(scope: "email  openid").access.scopes.text == "email openid")
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let code: OAuthErrorCode
        var grants: Set<OAuthClient.GrantType> = [.deviceCode]
        var scope: String? = "openid"
        var resources: [String] = []
        var testDescription: String { "\(code.rawValue): \(scope ?? "-") \(resources)" }
    }

    // O-119
    @Test(arguments: [
        Refused(code: .unauthorizedClient, grants: [.authorizationCode, .refreshToken, .ciba]),
        Refused(code: .invalidScope, scope: "openid admin"),
        Refused(code: .invalidScope, scope: "open\"id"),
        Refused(code: .invalidScope, scope: String(repeating: "s", count: 2000)),
        Refused(code: .invalidTarget, resources: ["https://api.example.com/"]),
        Refused(code: .invalidTarget, resources: ["https://api.example.com", "https://evil.example.net"]),
        Refused(code: .invalidTarget, resources: Array(repeating: "https://api.example.com", count: 17)),
    ])
    func `attack: a device request beyond the client's grants, scopes or resources is refused`(_ refused: Refused) {
        let client = DeviceFlowFixture.client(grants: refused.grants)
        let error = #expect(throws: OAuthError.self) {
            _ = try DeviceFlowFixture.order(client, scope: refused.scope, resources: refused.resources)
        }
        #expect(error?.code == refused.code)
    }
}
