import Kernel

/// The normal form of an http URL, without query and fragment (RFC 9449 §4.3 step 9, RFC 3986 §6.2.2, §6.2.3).
///
/// Two spellings of one URL have equal normal forms. Scheme and host are in lower case. A default port and dot segments
/// are left out, and only characters that need it are percent-encoded.
package struct TargetURI: Hashable, Sendable {
    package let text: String

    /// The most bytes of a URL.
    package static let maximumLength = 2048

    /// Returns `nil` for text that is not an http or https URL, and for a URL with user information.
    package init?(_ uri: String) {
        guard uri.utf8.count <= Self.maximumLength, uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let parts = uri.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("//"), let port = Self.usualPorts[parts[0].lowercased()] else {
            return nil
        }
        let rest = parts[1].dropFirst(2).prefix { $0 != "?" && $0 != "#" }
        let path = rest.drop { $0 != "/" }
        guard let authority = Self.authority(rest.prefix { $0 != "/" }, usualPort: port),
            let unescaped = Self.unescaped(path)
        else { return nil }
        text = "\(parts[0].lowercased())://\(authority)\(Self.withoutDots(unescaped))"
    }

    private static let usualPorts = ["http": "80", "https": "443"]

    private static func authority(_ text: Substring, usualPort: String) -> String? {
        let host: Substring
        var port: Substring = ""
        // An IPv6 address has colons of its own (RFC 3986 §3.2.2).
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[...end]
            port = text[text.index(after: end)...]
        } else {
            host = text.prefix { $0 != ":" }
            port = text.dropFirst(host.count)
        }
        guard !host.isEmpty, !text.contains("@"), !host.contains("%") else { return nil }
        if port.isEmpty || port == ":" { return host.lowercased() }
        let number = port.dropFirst()
        guard port.hasPrefix(":"), number.count <= 5, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return number == usualPort ? host.lowercased() : "\(host.lowercased()):\(number)"
    }

    /// Decodes letters, digits and `-._~`, and writes other escapes with capital hex digits (RFC 3986 §6.2.2.1,
    /// §6.2.2.2).
    private static func unescaped(_ path: Substring) -> String? {
        var output: [UInt8] = []
        var bytes = path.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(Hex.value(of:)), let low = bytes.next().flatMap(Hex.value(of:)) else {
                return nil
            }
            let value = high << 4 | low
            if isUnreserved(value) { output.append(value) } else { output += [byte, digit(high), digit(low)] }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Removes dot segments from a path that is empty or begins with a slash (RFC 3986 §5.2.4).
    private static func withoutDots(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }
}
