import Foundation
import Kernel
import Outbound
import Synchronization

/// The mock of an upstream, and what an app and a browser do with it and with the daemon.
struct UpstreamProgram: Sendable {
    static let app = "myapp.scheme.demo://code_callback"
    static let secret = "mock-client-secret"

    let program: RunningProgram
    let port: Int
    private let web: WebClient

    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts it on a port of its own.
    static func start(_ web: WebClient) async throws -> UpstreamProgram {
        let arguments = ["--port", "0", "--client-secret", secret, "--redirect-uri", app]
        let program = try await RunningProgram.start("upstream-mock", arguments)
        let line = try await program.line(beginning: "upstream-mock listening on ")
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw program.disappointment("named no port")
        }
        return UpstreamProgram(program: program, port: port, web: web)
    }

    /// The settings that make it the daemon's upstream, for the client of the seed's app.
    var settings: [String] {
        [
            "clients.myvoo.upstream=ates", "sampleData.client=myvoo", "upstreams.ates.authorizeURL=\(url)/authorize",
            "upstreams.ates.tokenURL=\(url)/token", "upstreams.ates.clientID=mock-client",
            "upstreams.ates.clientSecret=\(Self.secret)", "upstreams.ates.scopes=profile",
            "upstreams.ates.codeChallenge=true",
            "upstreams.ates.lookup.url=\(url)/UCP_SCIF_XML/UserManagement/GetPersonalInformation",
            "upstreams.ates.lookup.answer=xml", "upstreams.ates.lookup.person=/PersonalInformation/BPId",
            "upstreams.ates.lookup.status=/PersonalInformation/Status", "upstreams.ates.lookup.active=ACTIVE",
            "upstreams.ates.data.url=\(url)/esb/people/{person}/data",
        ]
    }

    /// Lets it send browsers back to these addresses.
    func allow(_ addresses: [String]) async throws {
        let body = String(decoding: try JSONEncoder().encode(addresses), as: UTF8.self)
        try await order(.put, "redirect-uris", body)
    }

    func fail(_ target: String, _ fault: String, ms: Int = 0, count: Int? = nil) async throws {
        let count = count.map { #","count":\#($0)"# } ?? ""
        try await order(.put, "faults", #"{"target":"\#(target)","fault":"\#(fault)","ms":\#(ms)\#(count)}"#)
    }

    func recover() async throws { try await order(.delete, "faults", nil) }

    struct Seen: Decodable, Sendable {
        let counts: [String: Int]
        let lastTokenParameters: [String]
    }

    func seen() async throws -> Seen { try await web.send(.get, "\(url)/_mock/requests").json() }

    private func order(_ method: OutboundMethod, _ path: String, _ body: String?) async throws {
        let reply = try await web.send(method, "\(url)/_mock/\(path)", json: body)
        guard reply.status == 204 else { throw ExpectationError("\(path): \(reply)") }
    }

    /// Signs somebody in at its form, for the request in that query; where the browser is sent to.
    func signIn(_ query: String, as person: String) throws -> String {
        let form = "\(query)&email=\(person)%40example.com&password=\(person)-password"
        let connection = try RawConnection(port: port)
        try connection.write(
            "POST /authorize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(form.utf8.count)\r\n\r\n\(form)"
        )
        let head = try connection.readHead()
        guard let location = Browser.field("Location", of: head) else { throw ExpectationError("no way back: \(head)") }
        return location
    }
}

/// A browser at the daemon: one GET each, with its redirect told and not followed.
struct RedirectedBrowser {
    let port: Int
    /// By their names; a cookie that is taken away stays with nothing in it.
    private var cookies: [String: String] = [:]

    /// `cookie`: what it has from before, as a request shows it.
    init(port: Int, cookie: String = "") {
        self.port = port
        for pair in cookie.split(separator: ";") { keep(pair) }
    }

    struct Page {
        let status: String
        let location: String?
        let language: String?
    }

    /// Asks for path and query, and keeps the cookies that come, whatever path they are for.
    mutating func get(_ target: String) throws -> Page {
        let connection = try RawConnection(port: port)
        let cookie = cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        try connection.send("GET", target, cookie.isEmpty ? [:] : ["Cookie": cookie])
        let head = try connection.readHead()
        for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix("set-cookie:") {
            keep(line.dropFirst("set-cookie:".count).prefix { $0 != ";" })
        }
        let words = head.split(separator: " ", maxSplits: 2)
        return Page(
            status: words.count > 1 ? String(words[1]) : "",
            location: Browser.field("Location", of: head),
            language: Browser.field("Content-Language", of: head)
        )
    }

    private mutating func keep(_ pair: Substring) {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard let name = parts.first else { return }
        cookies[name.trimmingCharacters(in: .whitespaces)] = parts.count > 1 ? String(parts[1]) : ""
    }
}

/// The text after the first question mark.
func query(of address: String) -> String {
    address.firstIndex(of: "?").map { String(address[address.index(after: $0)...]) } ?? ""
}

/// A parameter of an address, decoded.
func parameter(_ name: String, of address: String) -> String? {
    var components = URLComponents()
    components.percentEncodedQuery = query(of: address)
    return components.queryItems?.first { $0.name == name }?.value
}
