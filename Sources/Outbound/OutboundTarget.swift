import Kernel

/// The target of a request.
package enum OutboundTarget: Sendable, Equatable {
    /// An absolute `http://` or `https://` URL.
    case url(String)
    /// A server that listens on a Unix domain socket of this machine, such as the daemon's admin socket.
    ///
    /// `path` is the request's path and query, beginning with `/`.
    case unixSocket(file: String, path: String)

    /// The URL that the HTTP library takes, or `nil` for a target that is not in the described form.
    var address: String? {
        switch self {
        case .url(let url):
            let scheme = url.prefix { $0 != ":" }.lowercased()
            return (scheme == "http" || scheme == "https") && url.dropFirst(scheme.count).hasPrefix("://") ? url : nil
        case .unixSocket(let file, let path):
            guard !file.isEmpty, path.hasPrefix("/") else { return nil }
            return "http+unix://" + PercentEncoding.component(file) + path
        }
    }

    /// The location of the target for people: host and port, or the socket's file.
    var location: String {
        switch self {
        case .url(let url):
            let scheme = url.prefix { $0 != ":" }.lowercased()
            let rest = url.dropFirst(scheme.count + "://".count)
            let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
            // In an IPv6 address only a colon after the bracket begins a port (RFC 3986 §3.2.2).
            let hasPort = host.drop { $0 != "]" }.contains(":") || !host.contains("]") && host.contains(":")
            return hasPort ? String(host) : "\(host):\(scheme == "https" ? 443 : 80)"
        case .unixSocket(let file, _): return file
        }
    }
}

extension OutboundTarget: CustomStringConvertible, CustomReflectable {
    /// The target without user information, query and fragment.
    package var description: String {
        switch self {
        case .url(let url): Self.withoutSecrets(url)
        case .unixSocket(let file, let path): "\(file) \(Self.withoutSecrets(path))"
        }
    }

    package var customMirror: Mirror { Mirror(self, children: []) }

    private static func withoutSecrets(_ url: String) -> String {
        let bare = url.prefix { $0 != "?" && $0 != "#" }
        guard let authority = bare.firstRange(of: "://")?.upperBound else { return String(bare) }
        let end = bare[authority...].firstIndex(of: "/") ?? bare.endIndex
        guard let at = bare[authority..<end].lastIndex(of: "@") else { return String(bare) }
        return String(bare[..<authority] + bare[bare.index(after: at)...])
    }
}
