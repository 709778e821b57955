/// The variables with which Kubernetes describes a service named `vestibule` to a pod
/// (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
///
/// They look like config keys but are not. Exactly these forms are ignored. Any other name that begins with
/// `VESTIBULE_` is a fault unless it is a key, so that a mistyped security key is reported.
enum ServiceLinks {
    /// Whether a variable has such a name and a value of the matching form.
    static func contains(_ name: String, _ text: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let rest = String(name.dropFirst(prefix.count))
        switch rest {
        case "SERVICE_HOST": return isAddress(text)
        case "SERVICE_PORT": return isPort(text)
        case "PORT": return isURL(text)
        default: break
        }
        if rest.hasPrefix("SERVICE_PORT_") { return isPort(text) && isPortName(rest.dropFirst("SERVICE_PORT_".count)) }
        guard rest.hasPrefix("PORT_") else { return false }
        let parts = rest.split(separator: "_", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), isPort(parts[1]), protocols.contains(parts[2].lowercased()),
            parts[2] == parts[2].uppercased()
        else { return false }
        guard parts.count == 4 else { return isURL(text) }
        switch parts[3] {
        case "PROTO": return protocols.contains(text)
        case "PORT": return text == parts[1]
        case "ADDR": return isAddress(text)
        default: return false
        }
    }

    /// Returns one warning for all of them.
    static func warning(_ names: [String]) -> String {
        "ignored, with \(names.count - 1) more of the kind: Kubernetes sets it for a service named vestibule. "
            + "enableServiceLinks: false in the pod keeps them away"
    }

    private static let prefix = "VESTIBULE_"
    private static let protocols: Set<String> = ["tcp", "udp", "sctp"]

    private static func isPort(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && (Int(text).map { $0 < 65_536 } ?? false)
    }

    /// Whether the text is the name of a port as Kubernetes writes it here: a DNS label in capitals, with `_` for
    /// hyphens.
    private static func isPortName(_ text: Substring) -> Bool {
        !text.isEmpty && !text.contains("__") && text.first != "_" && text.last != "_"
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x5F }
    }

    private static func isAddress(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.count <= 45
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: ".")
                    || $0 == UInt8(ascii: ":")
            }
    }

    /// Whether the text is like `tcp://10.0.0.1:8080`.
    private static func isURL(_ text: String) -> Bool {
        guard let mark = text.firstRange(of: "://"), protocols.contains(String(text[..<mark.lowerBound])),
            let colon = text.lastIndex(of: ":"), colon >= mark.upperBound
        else { return false }
        var host = text[mark.upperBound..<colon]
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        return isAddress(host) && isPort(text[text.index(after: colon)...])
    }
}
