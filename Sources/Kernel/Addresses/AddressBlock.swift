/// The block of addresses that begin with the same bits (CIDR, RFC 4632 §3.1, RFC 4291 §2.3).
package struct AddressBlock: Hashable, Sendable {
    private let first: NetworkAddress
    /// The length of the prefix in bits, of 128.
    private let bits: Int

    /// The reason why a text is not a block.
    package enum BlockError: Error, Equatable {
        case malformed
        /// Bits after the prefix are set; `meant` is the block that was probably intended.
        case looseBits(meant: String)
    }

    /// Reads `10.0.0.0/8`, `2001:db8::/32`, or one address.
    package init(_ text: String) throws(BlockError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(parts[0]) else { throw .malformed }
        let isShort = !parts[0].contains(":")
        var length = isShort ? 32 : 128
        if parts.count == 2 {
            let written = parts[1]
            guard written.utf8.count <= 3, written.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                written == "0" || !written.hasPrefix("0"), let number = Int(written), number <= length
            else { throw .malformed }
            length = number
        }
        bits = isShort ? 96 + length : length
        first = Self.cut(address, to: bits)
        guard first == address else { throw .looseBits(meant: "\(first)/\(length)") }
    }

    /// Whether the block contains all addresses of IPv4 or of IPv6.
    package var isEverything: Bool { bits == 0 || (bits == 96 && first.isIPv4) }

    package func contains(_ address: NetworkAddress) -> Bool { Self.cut(address, to: bits) == first }

    private static func cut(_ address: NetworkAddress, to bits: Int) -> NetworkAddress {
        NetworkAddress(high: address.high & mask(min(bits, 64)), low: address.low & mask(max(bits - 64, 0)))
    }

    /// Returns a mask whose first bits are set.
    ///
    /// In Swift a shift by 64 gives 0, as required here.
    private static func mask(_ bits: Int) -> UInt64 { ~UInt64(0) << UInt64(64 - bits) }
}
