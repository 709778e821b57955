import Foundation

/// The cookies of one or more servers, which are kept between runs of the app.
///
/// It implements a strict part of RFC 6265 §5.3 and §5.4. Every cookie belongs only to the host that set it, even with
/// a `Domain`. A cookie without a lifetime is kept until it is replaced or the person signs out. An app has no "end of
/// the session" like a browser.
public struct CookieJar: Sendable, Equatable, Codable {
    /// One stored cookie.
    public struct Cookie: Sendable, Equatable, Codable {
        let name: String
        let value: String
        let host: String
        let path: String
        let isSecure: Bool
        let isHTTPOnly: Bool
        let expires: Date?
    }

    /// The cookies in the order of their first arrival.
    private(set) var cookies: [Cookie] = []

    /// Creates an empty jar.
    public init() {}

    /// Reads the plain list of cookies that ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        cookies = try decoder.singleValueContainer().decode([Cookie].self)
    }

    /// Writes the cookies as a plain list.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(cookies)
    }

    /// The most cookies that are kept.
    ///
    /// The oldest are deleted first (RFC 6265 §6.1 asks for 50 per domain).
    static let capacity = 50

    /// Adds the cookies that an answer from `url` sets, and deletes those that it expires (RFC 6265 §5.3).
    mutating func accept(setCookie joined: String, from url: URL, now: Date) {
        guard let host = Self.host(of: url) else { return }
        for field in SetCookie.fields(joined: joined) {
            guard let set = SetCookie(field), Self.mayBeSet(set, by: host, url) else { continue }
            keep(
                Cookie(
                    name: set.name,
                    value: set.value,
                    host: host,
                    path: set.path ?? Self.defaultPath(of: url),
                    isSecure: set.isSecure,
                    isHTTPOnly: set.isHTTPOnly,
                    expires: set.maxAge.map { $0 <= 0 ? .distantPast : now.addingTimeInterval(Double($0)) }
                        ?? set.expires
                )
            )
        }
        cookies.removeAll { $0.isExpired(at: now) }
        if cookies.count > Self.capacity { cookies.removeFirst(cookies.count - Self.capacity) }
    }

    /// Returns the value of the `Cookie` field for a request to `url`, with longer paths first (RFC 6265 §5.4).
    func header(for url: URL, now: Date) -> String? {
        guard let host = Self.host(of: url) else { return nil }
        let path = Self.path(of: url)
        let matching = cookies.enumerated().filter { _, cookie in
            cookie.host == host && cookie.matches(path: path) && !cookie.isExpired(at: now)
                && (!cookie.isSecure || ServerAddress.mayBeUsed(url))
        }
        guard !matching.isEmpty else { return nil }
        return
            matching
            .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
            .map { "\($0.element.name)=\($0.element.value)" }
            .joined(separator: "; ")
    }

    /// Deletes every cookie except those with that name.
    mutating func removeAll(exceptNamed name: String) { cookies.removeAll { $0.name != name } }

    private mutating func keep(_ cookie: Cookie) {
        let index = cookies.firstIndex {
            $0.name == cookie.name && $0.host == cookie.host && $0.path == cookie.path
        }
        // A replaced cookie keeps its position in the order of first arrival (RFC 6265 §5.3 step 11).
        if let index { cookies[index] = cookie } else { cookies.append(cookie) }
    }

    private static func mayBeSet(_ set: SetCookie, by host: String, _ url: URL) -> Bool {
        if let domain = set.domain, domain != host, !host.hasSuffix("." + domain) { return false }
        return !set.isSecure || ServerAddress.mayBeUsed(url)
    }

    private static func host(of url: URL) -> String? { url.host(percentEncoded: false)?.lowercased() }

    private static func path(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return path.hasPrefix("/") ? path : "/"
    }

    /// Returns the request's path up to its last slash (RFC 6265 §5.1.4).
    private static func defaultPath(of url: URL) -> String {
        let path = path(of: url)
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

extension CookieJar.Cookie {
    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether the cookie's path matches the request's path (RFC 6265 §5.1.4).
    func matches(path request: String) -> Bool {
        request == path
            || (request.hasPrefix(path) && (path.hasSuffix("/") || request.dropFirst(path.count).first == "/"))
    }
}
