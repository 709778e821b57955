import Foundation
import Outbound
import Synchronization

/// The mock of a bank, and what its customers do at its page.
final class BankProgram: Sendable {
    static let id = "example"
    static let name = "Example Bank"
    static let secret = "bank-client-secret"

    private let state = Mutex(State())
    private let web: WebClient

    private struct State {
        var program: RunningProgram?
        var port = 0
        /// Where it sends browsers back to.
        var allowed: [String] = []
    }

    init(_ web: WebClient) { self.web = web }

    var program: RunningProgram? { state.withLock(\.program) }
    var port: Int { state.withLock(\.port) }
    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts it, the first time on a port that it picks, later on the same one.
    func start() async throws {
        let arguments = ["--port", "\(port)", "--client-id", "vestibule", "--client-secret", Self.secret]
        let (program, line) = try await RunningProgram.listening(
            "bank-mock",
            arguments,
            line: "bank-mock listening on "
        )
        state.withLock { $0.program = program }
        guard let bound = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw program.disappointment("named no port")
        }
        let allowed = state.withLock { state in
            state.port = bound
            return state.allowed
        }
        if !allowed.isEmpty { try await allow(allowed) }
    }

    /// Ends it as a power cut would; whoever asks is refused a connection.
    func destroy() async { await program?.destroy() }

    /// The settings that make it one of the daemon's banks, under that id.
    func settings(as id: String = BankProgram.id) -> [String] {
        [
            "banks.\(id).name=\(Self.name)", "banks.\(id).clientID=vestibule",
            "banks.\(id).clientSecret=\(Self.secret)",
            "banks.\(id).authentication=post", "banks.\(id).scopes=cards", "banks.\(id).authorizeURL=\(url)/authorize",
            "banks.\(id).tokenURL=\(url)/token", "banks.\(id).cardsURL=\(url)/cards",
        ]
    }

    // MARK: Control

    /// Lets it send browsers back to these addresses.
    func allow(_ addresses: [String]) async throws {
        state.withLock { $0.allowed = addresses }
        try await order(.put, "redirect-uris", String(decoding: try JSONEncoder().encode(addresses), as: UTF8.self))
    }

    /// `target` is `authorize`, `token`, `refresh` or `cards`.
    func fail(_ target: String, _ fault: String, ms: Int = 0) async throws {
        try await order(.put, "faults", #"{"target":"\#(target)","fault":"\#(fault)","ms":\#(ms)}"#)
    }

    func recover() async throws { try await order(.delete, "faults", nil) }

    /// Gives a customer other cards.
    func give(_ customer: String, cards: [(id: String, lastFour: String)]) async throws {
        let list = cards.map { #"{"id":"\#($0.id)","lastFour":"\#($0.lastFour)","network":"VISA"}"# }
        try await order(.put, "customers/\(customer)/cards", "[\(list.joined(separator: ","))]")
    }

    /// Takes all tokens back, as when customers withdraw what they agreed to.
    func revokeTokens() async throws { try await order(.delete, "tokens", nil) }

    /// How often it was asked for that.
    func count(_ call: String) async throws -> Int {
        struct Seen: Decodable { let counts: [String: Int] }
        return try await web.send(.get, "\(url)/_mock/requests").json(Seen.self).counts[call] ?? 0
    }

    private func order(_ method: OutboundMethod, _ path: String, _ body: String?) async throws {
        let reply = try await web.send(method, "\(url)/_mock/\(path)", json: body)
        guard reply.status == 204 else { throw ExpectationError("the bank's \(path): \(reply)") }
    }

    // MARK: Its page

    /// Where a browser is sent on to that picks a customer on the page of that address.
    func letIn(_ customer: String, at page: String) throws -> String { try press("customer=\(customer)", at: page) }

    /// The same for the button that says no.
    func cancel(at page: String) throws -> String { try press("cancel=1", at: page) }

    private func press(_ form: String, at page: String) throws -> String {
        guard page.hasPrefix("\(url)/authorize?") else { throw ExpectationError("\(page) is not a page of the bank") }
        let connection = try RawConnection(port: port)
        try connection.write(
            "POST /authorize?\(query(of: page)) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.utf8.count)\r\n\r\n\(form)"
        )
        let head = try connection.readHead()
        guard let location = Browser.field("Location", of: head) else { throw ExpectationError("no way back: \(head)") }
        return location
    }
}
