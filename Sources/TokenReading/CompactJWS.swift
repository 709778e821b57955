package import Kernel

/// A signed text in the compact form taken apart (RFC 7515 §5.2 steps 1 to 6), nothing in it believed yet.
package struct CompactJWS: Sendable {
    /// The members of the protected header.
    package let header: [String: JSONValue]
    /// Header and payload with their dot: what the signature is over.
    package let signingInput: [UInt8]
    package let signature: [UInt8]
    private let payload: ArraySlice<UInt8>

    /// Returns `nil` unless these are three parts of canonical base64url, the first a JSON object, none too long.
    package init?(parsing text: String, maximumLength: Int, maximumHeaderLength: Int) {
        guard text.utf8.count <= maximumLength else { return nil }
        // By bytes: to find out where a character ends costs as much as a fast signature.
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

    /// Returns the claims, only to be asked for once the signature has been verified.
    package func claims() throws(TokenError) -> ClaimReader {
        guard let payload = Base64URL.decode(payload) else { throw .malformed }
        return try ClaimReader(payload)
    }
}
