extension NetworkAddress {
    /// How far an address reaches.
    package enum Reach: Sendable {
        /// The loopback of one machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
        case machine
        /// A private or link-local network (RFC 1918, RFC 4193, RFC 3927, RFC 4291 §2.5.6).
        case local
        case world
    }

    package var reach: Reach {
        let bytes = bytes
        guard isIPv4 else {
            if high == 0, low == 1 { return .machine }
            let isLocal = bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
            return isLocal ? .local : .world
        }
        switch (bytes[12], bytes[13]) {
        case (127, _): return .machine
        case (10, _), (192, 168), (169, 254), (172, 16...31): return .local
        default: return .world
        }
    }

    /// The network without the last part, which people can compare: `192.0.2.x`, or the first 48 bits of IPv6.
    package var networkHint: String {
        guard isIPv4 else { return NetworkAddress(high: high & ~0xFFFF, low: 0).description }
        return bytes[12..<15].map(String.init).joined(separator: ".") + ".x"
    }
}
