import Foundation
import Glibc
import Outbound
import Synchronization

/// A face-scan provider that does what it is told.
final class Mock: Sendable {
    private let state = Mutex<State>(State())
    private let web: WebClient

    private struct State {
        var program: RunningProgram?
        var port = 0
    }

    /// A scan as the mock shows it.
    struct Scan: Decodable, Sendable {
        let id: String
        let status: String
        let created: String
        let expires: String

        /// How long the person was given for it, in whole seconds.
        var lifetime: Int {
            get throws {
                let form = Date.ISO8601FormatStyle(includingFractionalSeconds: created.contains("."))
                return Int(try form.parse(expires).timeIntervalSince(try form.parse(created)).rounded())
            }
        }
    }

    init(_ web: WebClient) { self.web = web }

    var url: String { "http://127.0.0.1:\(state.withLock(\.port))" }
    var program: RunningProgram? { state.withLock(\.program) }

    /// Starts it, the first time on a port that it picks, later on the same one.
    func start() async throws {
        let port = state.withLock(\.port)
        let (program, line) = try await RunningProgram.listening(
            Programs.mock,
            ["--port", "\(port)"],
            line: "authid-mock listening on "
        )
        state.withLock { $0.program = program }
        guard let bound = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw program.disappointment("named no port")
        }
        state.withLock { $0.port = bound }
    }

    /// Ends it as a power cut would.
    func destroy() async { await program?.destroy() }

    /// Decides the newest scan of that account.
    func decide(_ email: String, _ outcome: String) async throws {
        let scan = try await newestScan(of: email)
        try await send(.post, "scans/\(scan.id)/outcome", #"{"outcome":"\#(outcome)"}"#)
    }

    func newestScan(of email: String) async throws -> Scan {
        struct Scans: Decodable { let scans: [Scan] }
        let name = email.replacingOccurrences(of: "+", with: "%2B")
        let reply = try await send(.get, "scans?limit=1&account=\(name)")
        guard let scan = try reply.json(Scans.self).scans.first else { throw ExpectationError("\(email) has no scan") }
        return scan
    }

    /// Puts a fault in force: `target` is `token`, `create` or `status`.
    func breakDown(_ target: String, _ fault: String, count: Int? = nil, milliseconds: Int? = nil) async throws {
        var body = #"{"target":"\#(target)","fault":"\#(fault)""#
        if let count { body += #","count":\#(count)"# }
        if let milliseconds { body += #","ms":\#(milliseconds)"# }
        try await send(.put, "faults", body + "}")
    }

    /// Ends all faults.
    func mend() async throws { try await send(.delete, "faults") }

    /// Has the next scan of that account's status calls hang, and nobody else's.
    func hangNextScan(of account: String, milliseconds: Int) async throws {
        let name = account.replacingOccurrences(of: "+", with: "%2B")
        try await send(.put, "scenarios/\(name)", #"{"steps":[{"fault":"hang","ms":\#(milliseconds)}]}"#)
    }

    /// Sends webhooks to that address from now on; `change` is more of the control API's members.
    func sendWebhooks(to url: String, secret: String, _ change: String = "") async throws {
        try await send(.put, "webhooks", #"{"url":"\#(url)","secret":"\#(secret)"\#(change)}"#)
    }

    /// Sends one webhook about that scan, in that wrong way; what it was answered.
    func webhook(about scan: Scan, _ mangling: String? = nil, copies: Int = 1) async throws -> [Int?] {
        struct Sent: Decodable { let statuses: [Int?] }
        let mangle = mangling.map { #","mangle":"\#($0)""# } ?? ""
        let reply = try await send(.post, "scans/\(scan.id)/webhook", #"{"copies":\#(copies)\#(mangle)}"#)
        return try reply.json(Sent.self).statuses
    }

    /// The newest webhooks, and what each was answered.
    func webhooks() async throws -> [Webhook] {
        struct Webhooks: Decodable { let deliveries: [Webhook] }
        return try await send(.get, "webhooks").json(Webhooks.self).deliveries
    }

    /// A webhook as the mock shows it.
    struct Webhook: Decodable, Sendable {
        let type: String
        let status: Int?
        let sent: String?
    }

    /// How often each call of the provider's API came in.
    func calls() async throws -> [String: Int] {
        struct RequestLog: Decodable { let counts: [String: Int] }
        return try await send(.get, "requests?limit=1").json(RequestLog.self).counts
    }

    /// Makes an account at the provider that has a face.
    func enroll(_ number: String, email: String) async throws {
        try await send(.put, "accounts/\(number)", #"{"enrolled":true,"email":"\#(email)"}"#)
    }

    @discardableResult
    private func send(_ method: OutboundMethod, _ path: String, _ json: String? = nil) async throws -> WebClient.Reply {
        let reply = try await web.send(method, "\(url)/_mock/\(path)", json: json)
        guard (200..<300).contains(reply.status) else { throw ExpectationError("the mock's \(path): \(reply)") }
        return reply
    }
}
