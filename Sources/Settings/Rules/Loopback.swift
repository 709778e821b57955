import Kernel

/// Hosts that are this machine itself.
package enum Loopback {
    /// Whether `host` is `localhost`, `::1` or in 127.0.0.0/8 (RFC 6890 §2.2.2), with or without brackets.
    package static func contains(host: String) -> Bool {
        let bare = host.lowercased().trimming(while: { $0 == "[" || $0 == "]" })
        if bare == "localhost" || bare == "::1" { return true }
        let parts = bare.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
