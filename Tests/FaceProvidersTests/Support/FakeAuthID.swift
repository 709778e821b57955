import FaceProviders
import Kernel
import MemoryStore
import Operations
import Outbound
import ScriptedServer
import Synchronization
import Testing

/// The provider under test in front of a scripted authID.
struct FakeAuthID: Sendable {
    /// A call that is to be answered.
    struct Call: Sendable {
        /// Counts the calls of its kind from 1.
        let number: Int
        /// The access token that it presents.
        let bearer: String?
    }

    /// The answer to each call.
    struct Replies: Sendable {
        typealias Reply = @Sendable (Call) -> ScriptedReply

        /// `nil` for a good pair, `access-N` and `refresh-N`, which lives for 15 minutes.
        var token: Reply?
        var refresh: Reply?
        var begin: Reply = { _ in .json(#"{"TransactionId":"tx-1","OneTimeSecret":"ots=+/1"}"#) }
        var status: Reply = { _ in .json(#"{"TransactionId":"tx-1","Status":0,"Message":""}"#) }
        var beginOperation: Reply = { _ in .json(#"{"OperationId":"op-1","OneTimeSecret":"ots=+/1"}"#) }
        var operationStatus: Reply = { _ in .json(#"{"Status":0}"#) }
        var operationResult: Reply = { _ in .json("{}", status: 404) }
        var findAccount: Reply = { _ in .json("null") }
        var createAccount: Reply = { _ in .json("{}", status: 201) }
    }

    static let transaction = ProviderReference("tx-1")
    /// Far above what an honest answer takes on the busiest machine; tests of timeouts let virtual time pass.
    static let requestTimeout: Duration = .seconds(60)
    static let keyID = "key-id-7f3a"
    static let keyValue = "key-value-91c2"

    let provider: AuthIDProvider
    let server: ScriptedServer
    let time: VirtualTime
    let log: LogRecorder

    static func run(
        _ replies: Replies = Replies(),
        time: VirtualTime = VirtualTime(),
        maxResponseBytes: Int = 65_536,
        at place: ScriptedServer.Place = .loopback,
        during body: (FakeAuthID) async throws -> Void
    ) async throws {
        let calls = CallCounter()
        let log = LogRecorder()
        try await ScriptedServer.run(at: place) { request in
            guard let kind = Kind(request) else { return .json("{}", status: 400) }
            let authorization = request.header("Authorization") ?? ""
            let bearer = authorization.hasPrefix("Bearer ") ? String(authorization.dropFirst(7)) : nil
            return replies.reply(to: kind, Call(number: calls.next(kind), bearer: bearer), time: time)
        } during: { server in
            var calls = CallLimits()
            calls.connectTimeout = .seconds(60)
            calls.requestTimeout = requestTimeout
            calls.maxResponseBytes = maxResponseBytes
            let configuration = AuthIDConfiguration(
                baseURL: server.url,
                pageURL: "https://scan.example.com/",
                keyID: Secret(keyID),
                keyValue: Secret(keyValue),
                calls: calls
            )
            try await OutboundHTTP.use(calls.outbound(starts: 32), clock: time) { http in
                let provider = AuthIDProvider(
                    configuration,
                    named: ProviderName("authid"),
                    http: http,
                    environment: time.environment,
                    logger: log.logger
                )
                try await body(FakeAuthID(provider: provider, server: server, time: time, log: log))
            }
        }
    }

    func begin(timeLeft: Duration = .seconds(180)) async throws(ProviderError) -> StartedScan {
        try await provider.begin(ScanRequest(enrolment: "link-1", timeLeft: timeLeft))
    }

    func check() async throws(ProviderError) -> ScanStatus { try await provider.check(Self.transaction) }

    /// Returns what a begin that should not work throws; `nil` if it works.
    func beginFailure() async -> ProviderError? {
        do throws(ProviderError) {
            _ = try await begin()
            return nil
        } catch {
            return error
        }
    }

    /// Returns what a check that should not work throws; `nil` if it works.
    func checkFailure() async -> ProviderError? {
        do throws(ProviderError) {
            _ = try await check()
            return nil
        } catch {
            return error
        }
    }

    /// Waits until authID has got so many of that kind.
    func wait(for number: Int, _ kind: Kind) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while count(kind) < number {
            try #require(ContinuousClock.now < end, "only \(count(kind)) of \(number) came")
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Lets the time of the request in progress run out as soon as authID has got so many of that kind.
    func runOut(after number: Int, _ kind: Kind) async throws {
        try await wait(for: number, kind)
        time.advance(by: Self.requestTimeout)
    }

    func count(_ kind: Kind) -> Int { server.requests.count { Kind($0) == kind } }
    func requests(_ kind: Kind) -> [ScriptedRequest] { server.requests.filter { Kind($0) == kind } }
}

extension FakeAuthID {
    /// authID's calls, by method and path.
    enum Kind: Hashable {
        case token, refresh, begin, status, findAccount, createAccount
        case beginOperation, operationStatus, operationResult

        init?(_ request: ScriptedRequest) {
            let root = "/IDCompleteBackendEngine"
            let accounts = root + "/Default/AdministrationServiceRest/v1/accounts"
            let transactions = root + "/Default/AuthorizationServiceRest/v2/transactions"
            let operations = root + "/Default/AuthorizationServiceRest/v2/operations"
            switch (request.method, request.path) {
            case ("POST", operations): self = .beginOperation
            case ("GET", operations + "/op-1/status"): self = .operationStatus
            case ("GET", operations + "/op-1/result"): self = .operationResult
            case ("POST", root + "/IdentityService/v1/auth/token"): self = .token
            case ("POST", root + "/IdentityService/v1/auth/refresh"): self = .refresh
            case ("POST", transactions): self = .begin
            case ("POST", accounts): self = .createAccount
            case ("GET", let path) where path.hasPrefix(transactions + "/") && path.hasSuffix("/status"):
                self = .status
            case ("GET", let path) where path.hasPrefix(accounts + "/"): self = .findAccount
            default: return nil
            }
        }
    }

    private final class CallCounter: Sendable {
        private let counts = Mutex<[Kind: Int]>([:])

        func next(_ kind: Kind) -> Int {
            counts.withLock {
                $0[kind, default: 0] += 1
                return $0[kind, default: 0]
            }
        }
    }
}

extension FakeAuthID.Replies {
    /// Returns a pair as authID issues it.
    static func pair(_ name: String, expires: String?) -> ScriptedReply {
        let expiry = expires.map { #","AccessTokenExpirationDate":"\#($0)""# } ?? ""
        return .json(#"{"AccessToken":"access-\#(name)","RefreshToken":"refresh-\#(name)"\#(expiry)}"#)
    }

    /// `{ID, Message}`.
    static func error(_ status: Int, _ id: String, message: String = "No.") -> ScriptedReply {
        .json(#"{"ID":"\#(id)","Message":"\#(message)"}"#, status: status)
    }

    static let notAuthenticated = error(401, "E_USER_NOT_AUTHENTICATED")

    fileprivate func reply(to kind: FakeAuthID.Kind, _ call: FakeAuthID.Call, time: VirtualTime) -> ScriptedReply {
        switch kind {
        case .token: token?(call) ?? Self.pair("\(call.number)", expires: time.timestamp(in: .seconds(900)))
        case .refresh: refresh?(call) ?? Self.pair("r\(call.number)", expires: time.timestamp(in: .seconds(900)))
        case .begin: begin(call)
        case .status: status(call)
        case .beginOperation: beginOperation(call)
        case .operationStatus: operationStatus(call)
        case .operationResult: operationResult(call)
        case .findAccount: findAccount(call)
        case .createAccount: createAccount(call)
        }
    }
}
