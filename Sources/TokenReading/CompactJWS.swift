package import Kernel

/// A signed text in the compact form, split into its parts (RFC 7515 §5.2 steps 1 to 6).
///
/// Nothing in it is verified.
package struct CompactJWS: Sendable {
    /// The members of the protected header.
    package let header: [String: JSONValue]
    /// Header and payload with the dot between them: the bytes that are signed.
    package let signingInput: [UInt8]
    package let signature: [UInt8]
    private let payload: ArraySlice<UInt8>

    /// Returns `nil` unless the text is three parts of canonical base64url within the limits, and the first is a JSON
    /// object.
    package init?(parsing text: String, maximumLength: Int, maximumHeaderLength: Int) {
        guard text.utf8.count <= maximumLength else { return nil }
        // The text is split by bytes: finding the boundaries of characters would cost as much as verifying a fast
        // signature.
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty,
            let header = Base64URL.decode(parts[0]), header.count <= maximumHeaderLength,
            let signature = Base64URL.decode(parts[2]),
            case .object(let members)? = try? JSONReader.read(header, maximumDepth: ClaimReader.maximumDepth)
        else { return nil }
        self.header = members
        self.signature = signature
        signingInput = Array(bytes[..<parts[1].endIndex])
        payload = parts[1]
    }

    /// Returns the claims.
    ///
    /// Call this only after verifying the signature.
    package func claims() throws(TokenError) -> ClaimReader {
        guard let payload = Base64URL.decode(payload) else { throw .malformed }
        return try ClaimReader(payload)
    }
}
