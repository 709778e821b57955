import NIOHTTP1

/// The conformance of a request's head to RFC 9112, beyond the decoder's checks.
struct RequestForm {
    /// Whether the request's target or its end is ambiguous.
    private(set) var isFaulty = false
    /// Whether nothing can be read behind the request, or it says that nothing follows.
    private(set) var isLast: Bool
    /// Whether the body waits for a 100 (RFC 9110 §10.1.1).
    private(set) var isExpectant = false

    /// Reads the fields once: every request passes here.
    ///
    /// `needsHost`: Whether the request came to a host, and not over a Unix socket.
    init(_ head: HTTPRequestHead, needsHost: Bool = true) {
        // RFC 9112 §9.3. Behind CONNECT the decoder reads nothing more.
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
            // The decoder leaves the rest to a protocol that this server does not speak (RFC 9110 §7.8).
            case 7 where name.lowercased() == "upgrade": isLast = true
            case 17 where name.lowercased() == "transfer-encoding":
                // RFC 9112 §6.1: the field is faulty in HTTP/1.0; §6.3, 4: also where chunked is not the last coding.
                // This server decodes no other coding before it.
                if isOld || value.lowercased() != "chunked" { isFaulty = true }
            default: break
            }
        }
        // RFC 9112 §3.2; HTTP/1.0 had no Host.
        if hosts > 1 || (hosts == 0 && !isOld && needsHost) { isFaulty = true }
    }

    /// Returns the value without the blanks behind it: the decoder leaves them, and they are not part of it (RFC 9110
    /// §5.5).
    private static func bare(_ value: String) -> Substring {
        var rest = value.utf8[...]
        while rest.last == UInt8(ascii: " ") || rest.last == UInt8(ascii: "\t") { rest.removeLast() }
        return Substring(rest)
    }

    /// Returns whether the value can be a host with a port: of the characters of RFC 3986 §3.2.2, and without a user.
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

    /// Returns the host that a target in absolute form names, whatever Host says (RFC 9112 §3.2.2).
    ///
    /// It is empty for a scheme other than HTTP's, and `nil` for the other forms.
    static func authority(inTarget target: String) -> Substring? {
        guard target.utf8.first != UInt8(ascii: "/"), let mark = target.firstRange(of: "://") else { return nil }
        guard ["http", "https"].contains(target[..<mark.lowerBound].lowercased()) else { return "" }
        return target[mark.upperBound...].prefix { !"/?#".contains($0) }
    }
}
