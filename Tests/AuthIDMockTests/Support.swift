import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MockServing
import NIOCore
import Synchronization
import Testing

@testable import AuthIDMock

/// A clock that stands still until a test moves it.
final class HandClock: Sendable {
    private let time = Mutex(Instant(seconds: 1_700_000_000))

    var now: Instant { time.withLock { $0 } }
    func advance(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
}

/// A mock with a clock of its own and seed 1.
struct Rig: Sendable {
    let clock = HandClock()
    let backend: MockBackend

    init(seed: UInt64 = 1, _ change: (inout MockConfiguration) -> Void = { _ in }) {
        var configuration = MockConfiguration()
        change(&configuration)
        let clock = clock
        backend = MockBackend(configuration: configuration, inputs: .seeded(seed) { clock.now })
    }

    @discardableResult
    func login(_ number: String = "a", timeout: Duration = .seconds(180)) throws -> Scan {
        try scan(.login, number, timeout)
    }

    @discardableResult
    func enrolment(_ number: String = "a", timeout: Duration = .seconds(180)) throws -> Scan {
        try scan(.enrolment, number, timeout)
    }

    func account(_ number: String = "a", email: String = "anna@example.com") throws {
        try backend.with { state, _ in
            try state.createAccount(Account(number: number, displayName: "Anna Example", email: email))
        }
    }

    /// The scan as it is now.
    func current(_ scan: Scan) throws -> Scan { try #require(backend.with { state, _ in state.scan(scan.id) }) }

    func status(_ scan: Scan) throws -> ProviderStatus { try current(scan).reportedStatus(at: clock.now) }

    func strike(_ call: ProviderCall, _ scan: Scan? = nil) -> FaultEffect? {
        backend.with { state, now in state.strike(call, scan: scan?.id, now: now)?.effect }
    }

    func setFault(_ rule: FaultRule) {
        let random = backend.inputs.randomBytes
        backend.with { state, _ in state.setFault(rule, random: random) }
    }

    private func scan(_ kind: ScanKind, _ number: String, _ timeout: Duration) throws -> Scan {
        let random = backend.inputs.randomBytes
        return try backend.with { state, now in
            try state.createScan(
                ScanControl(kind: kind, accountNumber: number, timeout: timeout),
                now: now,
                random: random
            )
        }
    }
}

/// A client of the mock's HTTP side.
struct Caller: Sendable {
    let client: any TestClientProtocol
    var token: String?

    static let engine = "/IDCompleteBackendEngine"
    static let accounts = engine + "/Default/AdministrationServiceRest/v1/accounts"
    static let scans = engine + "/Default/AuthorizationServiceRest/v2"

    struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String

        func json() throws -> [String: any Sendable] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable], "\(text)")
        }

        func string(_ key: String) throws -> String { try #require(try json()[key] as? String, "\(key) in \(text)") }
        func int(_ key: String) throws -> Int { try #require(try json()[key] as? Int, "\(key) in \(text)") }
    }

    func call(
        _ method: HTTPRequest.Method,
        _ uri: String,
        _ body: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        let response = try await client.executeRequest(
            uri: uri,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        )
        return Answer(status: response.status.code, headers: response.headers, text: String(buffer: response.body))
    }

    func signedIn() async throws -> Caller {
        let credentials = Data("mock-key-id:mock-key-value".utf8).base64EncodedString()
        let answer = try await call(
            .post,
            Self.engine + "/IdentityService/v1/auth/token",
            "{}",
            headers: [.authorization: "Basic \(credentials)"]
        )
        return Caller(client: client, token: try answer.string("AccessToken"))
    }

    /// Signs in, makes account `a` and starts a login.
    func withLogin(timeout: Int = 180) async throws -> (Caller, id: String, secret: String) {
        let caller = try await signedIn()
        _ = try await caller.call(
            .post,
            Self.accounts,
            #"{"AccountNumber":"a","DisplayName":"Anna Example","Email":"anna@example.com","Enabled":true}"#
        )
        let answer = try await caller.startLogin(timeout: timeout)
        return (caller, try answer.string("TransactionId"), try answer.string("OneTimeSecret"))
    }

    func startLogin(_ account: String = "a", timeout: Int = 180) async throws -> Answer {
        try await call(
            .post,
            Self.scans + "/transactions",
            #"{"AccountNumber":"\#(account)","Name":"Verify_Identity","Timeout":\#(timeout)}"#
        )
    }

    func loginStatus(_ id: String) async throws -> Answer {
        try await call(.get, Self.scans + "/transactions/\(id)/status")
    }
}

extension Rig {
    /// Runs `body` against the router, without a socket.
    func serve(_ body: @escaping @Sendable (Caller) async throws -> Void) async throws {
        try await makeAuthIDMock(backend: backend).test(.router) { try await body(Caller(client: $0)) }
    }

    /// Runs `body` against a server on a port of its own.
    func serveLive(_ body: @escaping @Sendable (Caller) async throws -> Void) async throws {
        try await makeAuthIDMock(backend: backend).test(.live) { try await body(Caller(client: $0)) }
    }
}
