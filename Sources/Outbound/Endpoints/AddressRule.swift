package import Kernel

/// The addresses to which requests to other parties' endpoints may connect.
///
/// A client chooses its endpoint. Without this rule it could make this server call services of the operator's own
/// network, or the metadata service of a cloud machine (OWASP, Server-Side Request Forgery Prevention Cheat Sheet).
/// Public addresses are allowed, and the blocks that the operator names.
package struct AddressRule: Sendable, Equatable {
    /// Blocks that are allowed although they are not public.
    private let exceptions: [AddressBlock]

    package init(allowing exceptions: [AddressBlock] = []) { self.exceptions = exceptions }

    package func allows(_ address: NetworkAddress) -> Bool {
        exceptions.contains { $0.contains(address) } || Self.isPublic(address)
    }

    private static func isPublic(_ address: NetworkAddress) -> Bool {
        if address.isIPv4 { return !special.contains { $0.contains(address) } }
        // A translator sends the packet to the IPv4 address inside (RFC 6052 §2.1).
        if translated.contains(where: { $0.contains(address) }) { return isPublic(address.lastFourBytes) }
        return unicast.contains { $0.contains(address) } && !special.contains { $0.contains(address) }
    }

    /// The IPv6 addresses that can be public at all: global unicast (RFC 4291 §2.4).
    private static let unicast = blocks(["2000::/3"])

    /// The prefix of IPv4 addresses that are reached through a translator.
    private static let translated = blocks(["64:ff9b::/96"])

    /// Addresses that are not public, or that public services do not have (RFC 6890 and the IANA registries).
    private static let special = blocks(
        local + [
            // Protocol assignments, documentation, the former 6to4 relays, and benchmarks.
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
            // The metadata and health service of Azure.
            "168.63.129.16/32",
            // Multicast, reserved and broadcast.
            "224.0.0.0/4", "240.0.0.0/4",
            // Protocol assignments with Teredo, documentation, and 6to4, which has an IPv4 address inside.
            "2001::/23", "2001:db8::/32", "3fff::/20", "2002::/16",
        ]
    )

    /// This network, private networks, shared space of carriers, this machine, and the link with its metadata service.
    private static let local = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.168.0.0/16",
    ]

    private static func blocks(_ texts: [String]) -> [AddressBlock] {
        let blocks = texts.compactMap { try? AddressBlock($0) }
        precondition(blocks.count == texts.count, "the blocks of this list are well formed")
        return blocks
    }
}

extension NetworkAddress {
    /// The IPv4 address in the last four bytes.
    fileprivate var lastFourBytes: NetworkAddress {
        NetworkAddress(ipv4: bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
}
