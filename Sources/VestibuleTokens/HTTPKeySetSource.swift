public import VestibuleClient

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Fetches the key set from `/.well-known/jwks.json` of the issuer, or from a given address.
///
/// It uses the SDK's transport: no redirects, at most 64 KiB, and a timeout. Only https is accepted, except for an
/// issuer on this machine. An attacker who can change a key set in transit can sign tokens.
public struct HTTPKeySetSource: KeySetSource {
    private let address: String
    private let transport: any HTTPTransport
    private let timeout: Duration

    /// The path of the key set below an issuer.
    public static let wellKnownPath = "/.well-known/jwks.json"

    /// Creates a source at the issuer's well-known address.
    ///
    /// - Parameters:
    ///   - issuer: The `iss` of the tokens, a URL.
    ///   - timeout: The longest time of a whole fetch.
    ///   - transport: Sends the request.
    public init(issuer: String, timeout: Duration = .seconds(5), transport: any HTTPTransport = URLSessionTransport()) {
        let root = issuer.hasSuffix("/") && !issuer.hasSuffix("//") ? String(issuer.dropLast()) : issuer
        self.init(address: root + Self.wellKnownPath, timeout: timeout, transport: transport)
    }

    /// Creates a source at another address than the well-known one.
    ///
    /// - Parameters:
    ///   - address: The URL of the key set.
    ///   - timeout: The longest time of a whole fetch.
    ///   - transport: Sends the request.
    public init(
        address: String,
        timeout: Duration = .seconds(5),
        transport: any HTTPTransport = URLSessionTransport()
    ) {
        self.address = address
        self.transport = transport
        self.timeout = timeout
    }

    /// Fetches the current key set.
    ///
    /// - Throws: ``FetchError``, or the transport's error.
    public func fetch() async throws -> KeySetDocument {
        guard let url = URL(string: address), Self.isSafe(url) else { throw FetchError.address(address) }
        let request = ClientRequest(
            method: .get,
            url: url,
            headers: ["Accept": "application/json"],
            body: nil,
            timeout: timeout
        )
        let answer = try await transport.send(request)
        guard answer.status == 200 else { throw FetchError.status(answer.status) }
        return KeySetDocument(bytes: Array(answer.body), maxAge: answer.headers["cache-control"].flatMap(Self.maxAge))
    }

    /// The reason for which a key set was not fetched.
    public enum FetchError: Error, Hashable, Sendable {
        /// The address is not https, nor http to this machine.
        case address(String)
        /// The issuer answered with a status other than 200.
        case status(Int)
    }

    private static func isSafe(_ url: URL) -> Bool {
        guard let host = url.host(), !host.isEmpty, url.user() == nil else { return false }
        let isHere = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
        return url.scheme == "https" || (url.scheme == "http" && isHere)
    }

    /// Returns the `max-age` of a Cache-Control field (RFC 9111 §5.2.2.1); zero if the answer must not be cached.
    static func maxAge(_ field: String) -> Duration? {
        let directives = field.lowercased().split(separator: ",").map { $0.trimming(while: \.isWhitespace) }
        if directives.contains("no-store") || directives.contains("no-cache") { return .zero }
        for directive in directives where directive.hasPrefix("max-age=") {
            let digits = directive.dropFirst("max-age=".count).filter { $0 != "\"" }
            guard digits.count <= 9, let seconds = Int(digits), seconds >= 0 else { return nil }
            return .seconds(seconds)
        }
        return nil
    }
}

extension Substring {
    fileprivate func trimming(while predicate: (Character) -> Bool) -> String {
        var rest = drop(while: predicate)
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return String(rest)
    }
}
