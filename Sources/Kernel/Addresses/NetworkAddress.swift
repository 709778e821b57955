#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An IP address; an IPv4 address equals its IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
package struct NetworkAddress: Hashable, Sendable {
    private static let mapped: UInt64 = 0xFFFF << 32

    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(ipv4: UInt32) { self.init(high: 0, low: Self.mapped | UInt64(ipv4)) }

    /// Reads an address; `nil` for a text with anything else, such as a port, brackets or a zone.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        // The longest address has 45 characters (RFC 4291 §2.2), and C functions would stop at a zero byte.
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        let six = Self.bytes(of: text, AF_INET6, count: 16)
        if let six {
            self.init(high: Self.word(six[..<8]), low: Self.word(six[8...]))
            return
        }
        guard let four = Self.bytes(of: text, AF_INET, count: 4) else { return nil }
        self.init(ipv4: UInt32(truncatingIfNeeded: Self.word(four[...])))
    }

    private static func bytes(of text: String, _ family: CInt, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    package var isIPv4: Bool { high == 0 && low & ~0xFFFF_FFFF == Self.mapped }

    /// The address by which limits count: an IPv4 address itself, or the /64 of an IPv6 address.
    ///
    /// A single host is given a whole /64 (RFC 6177).
    package var counted: NetworkAddress { isIPv4 ? self : NetworkAddress(high: high, low: 0) }

    /// The 16 bytes in network byte order.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// The address in the form of RFC 5952, and an IPv4 address with dots.
    package var description: String {
        guard !isIPv4 else {
            return [24, 16, 8, 0].map { String(UInt8(truncatingIfNeeded: low >> UInt64($0))) }.joined(separator: ".")
        }
        let bytes = bytes
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            guard let start = text.baseAddress,
                inet_ntop(AF_INET6, bytes, start, socklen_t(text.count)) != nil
            else { return "-" }
            return String(cString: start)
        }
    }
}
