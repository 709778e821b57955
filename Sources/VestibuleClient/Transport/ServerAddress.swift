import Foundation

/// The base URL of a server, which is checked once, and the addresses of the API below it.
struct ServerAddress: Sendable, Equatable {
    private let root: URL

    /// Accepts `https://…`, or `http://…` to this machine, with or without a path such as `/api` and a slash at the
    /// end.
    init(_ url: URL) throws(FaceLoginError) {
        guard Self.mayBeUsed(url),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            parts.query == nil, parts.fragment == nil
        else { throw .invalidURL(.server) }
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        guard let root = parts.url else { throw .invalidURL(.server) }
        self.root = root
    }

    var initiate: URL { endpoint("initiate") }

    /// `wait` is the number of seconds that the server may hold the answer.
    func poll(_ id: OperationID, wait: Int?) -> URL {
        let url = endpoint("poll", id)
        guard let wait else { return url }
        return url.appending(queryItems: [URLQueryItem(name: "wait", value: String(wait))])
    }

    func acknowledge(_ id: OperationID) -> URL { endpoint("ack", id) }
    func cancel(_ id: OperationID) -> URL { endpoint("cancel", id) }

    private func endpoint(_ name: String, _ id: OperationID? = nil) -> URL {
        let url = root.appending(path: "auth/biometric-login/\(name)", directoryHint: .notDirectory)
        guard let id else { return url }
        return url.appending(path: id.text, directoryHint: .notDirectory)
    }

    /// Whether secrets may be sent to that address: https, or http to this machine, without credentials in the URL.
    static func mayBeUsed(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: false), !host.isEmpty,
            url.user == nil, url.password == nil
        else { return false }
        return scheme == "https" || (scheme == "http" && isLoopback(host))
    }

    /// Whether a host is `localhost`, `127.0.0.0/8` (RFC 1122 §3.2.1.3) in dotted form or `::1` (RFC 4291 §2.5.3).
    private static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name == "::1" || name == "[::1]" { return true }
        let octets = name.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
    }
}

/// The id of a login, which is a secret.
///
/// It becomes part of a path, so only harmless characters are allowed.
struct OperationID: Sendable, Equatable {
    let text: String

    /// Returns `nil` unless the text is 1 to 128 letters, digits, `-` or `_`.
    init?(_ text: String) {
        let harmless = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard harmless, (1...128).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}
