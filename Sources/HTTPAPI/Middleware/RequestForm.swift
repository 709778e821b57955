import NIOHTTP1

/// The checks of a request's head by RFC 9112 that the decoder omits.
struct RequestForm {
    /// Whether the request's target or the end of its body is ambiguous.
    private(set) var isFaulty = false
    /// Whether this is the connection's last request: it says so, or the decoder could read nothing after it.
    private(set) var isLast: Bool
    /// Whether the client waits for a 100 before it sends the body (RFC 9110 §10.1.1).
    private(set) var isExpectant = false

    /// Reads the header fields in one pass, because every request is checked here.
    ///
    /// `needsHost`: Whether the request came over a network, and not over a Unix socket.
    init(_ head: HTTPRequestHead, needsHost: Bool = true) {
        // RFC 9112 §9.3. After CONNECT the decoder reads no further request.
        isLast = !head.isKeepAlive || head.method == .CONNECT
        let isOld = head.version == .http1_0
        var hosts = 0
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 4 where name.lowercased() == "host":
                hosts += 1
                // RFC 9112 §3.2: the value is empty for a target without a host.
                let host = Self.bare(value)
                if !host.isEmpty, !Self.isAuthority(host) { isFaulty = true }
            case 6 where name.lowercased() == "expect":
                isExpectant = !isOld && Self.bare(value).lowercased() == "100-continue"
            // The decoder treats the bytes after an upgrade as a protocol that this server does not speak (RFC 9110
            // §7.8).
            case 7 where name.lowercased() == "upgrade": isLast = true
            case 17 where name.lowercased() == "transfer-encoding":
                // RFC 9112 §6.1: HTTP/1.0 has no such field. §6.3, 4: chunked has to be the last coding. This server
                // decodes no other coding before it.
                if isOld || value.lowercased() != "chunked" { isFaulty = true }
            default: break
            }
        }
        // RFC 9112 §3.2; HTTP/1.0 had no Host.
        if hosts > 1 || (hosts == 0 && !isOld && needsHost) { isFaulty = true }
    }

    /// Returns the value without trailing blanks, which the decoder leaves and which are no part of it (RFC 9110 §5.5).
    private static func bare(_ value: String) -> Substring {
        var rest = value.utf8[...]
        while rest.last == UInt8(ascii: " ") || rest.last == UInt8(ascii: "\t") { rest.removeLast() }
        return Substring(rest)
    }

    /// Returns whether the value is a host with an optional port, of the characters of RFC 3986 §3.2.2 and without a
    /// user.
    static func isAuthority(_ value: some StringProtocol) -> Bool {
        !value.isEmpty && value.utf8.allSatisfy { $0 < 128 && authority[Int($0)] }
    }

    private static let authority: [Bool] = {
        let others = Array("-._~%!$&'()*+,;=:[]".utf8)
        return (0..<128).map { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: others.contains(UInt8(byte))
            }
        }
    }()

    /// Returns the host in a target of absolute form, which has precedence over Host (RFC 9112 §3.2.2).
    ///
    /// It is empty for a scheme other than http and https, and `nil` for the other forms.
    static func authority(inTarget target: String) -> Substring? {
        guard target.utf8.first != UInt8(ascii: "/"), let mark = target.firstRange(of: "://") else { return nil }
        guard ["http", "https"].contains(target[..<mark.lowerBound].lowercased()) else { return "" }
        return target[mark.upperBound...].prefix { !"/?#".contains($0) }
    }
}
