import HTTPTypes
import Hummingbird
import Kernel
import Logging
import MemoryStore
import NIOCore
import Synchronization
import Testing

@testable import Admin
@testable import Console

/// A console over a scripted admin socket, in virtual time.
struct ConsoleFixture: Sendable {
    static let port = 8099

    let time: VirtualTime
    let access: ConsoleAccess
    let link: Secret
    let socket: ScriptedSocket
    private let console: Console

    init(_ socket: ScriptedSocket = ScriptedSocket(), owner: OwnerView? = nil, seed: UInt64 = 1) {
        time = VirtualTime()
        let environment = time.environment(seed: seed)
        (access, link) = ConsoleAccess.make(environment)
        self.socket = socket
        let origin = ConsoleOrigin()
        origin.listen(on: Self.port)
        console = Console(
            access,
            origin: origin,
            owner: owner,
            executor: socket,
            input: ConsoleInput { text in
                guard let count = Int(text.dropLast()) else { return nil }
                return text.hasSuffix("s") ? .seconds(count) : text.hasSuffix("h") ? .seconds(3600 * count) : nil
            },
            environment: environment,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// A response of the console.
    struct Reply: Sendable, Equatable {
        let status: Int
        let headers: HTTPFields
        let body: String
    }

    /// Sends a request with the head that a browser would send for it.
    ///
    /// Paths are below the console's own, but for that of the link, and bodies are without it unless `isPlain`.
    func send(
        _ method: HTTPRequest.Method = .get,
        _ path: String,
        cookie: String? = nil,
        body: String = "",
        host: String = "127.0.0.1:\(port)",
        site: String? = nil,
        origin: String? = nil,
        isBelowRoot: Bool = true,
        isPlain: Bool = false,
        more: [(String, String)] = []
    ) async throws -> Reply {
        let path = isBelowRoot && !path.hasPrefix(RequestGate.entrance) ? access.root + path : path
        var headers: HTTPFields = [:]
        headers[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site ?? (method == .post ? "same-origin" : "none")
        if let cookie { headers[.cookie] = "\(access.cookieName)=\(cookie)" }
        if method == .post {
            headers[.contentType] = "application/x-www-form-urlencoded"
            headers[.origin] = "http://127.0.0.1:\(Self.port)"
        }
        if let origin { headers[.origin] = origin.isEmpty ? nil : origin }
        for (name, value) in more { headers[try #require(HTTPField.Name(name))] = value }
        let head = HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: headers)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        let response = await console.respond(to: request)
        let writer = TextWriter()
        try await response.body.write(writer)
        return Reply(
            status: response.status.code,
            headers: response.headers,
            body: isPlain ? writer.text : writer.text.replacing(access.root, with: "")
        )
    }

    /// Follows the link, and returns the cookie.
    func enter() async throws -> String {
        let reply = try await send(.get, "/enter/\(link.expose())")
        let header = try #require(reply.headers[.setCookie])
        let value = header.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()
        return String(value)
    }

    /// Sends a form of the session.
    func press(_ path: String, _ fields: [(String, String)], _ cookie: String) async throws -> Reply {
        let form = fields + [("token", access.token(for: cookie))]
        return try await send(.post, path, cookie: cookie, body: QueryText.text(form))
    }
}

/// Keeps the text that a response writes.
private final class TextWriter: ResponseBodyWriter {
    private let written = Mutex(ByteBuffer())

    var text: String { written.withLock { String(buffer: $0) } }

    func write(_ buffer: ByteBuffer) async throws {
        var buffer = buffer
        written.withLock { _ = $0.writeBuffer(&buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
