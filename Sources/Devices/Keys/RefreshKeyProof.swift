package import Kernel

/// A device's signature for one refresh.
package struct RefreshKeyProof: Sendable, Equatable {
    /// The id that the client gave the device.
    package let name: String
    /// SHA-256 of the refresh token's text: the proof is valid with no other token.
    package let token: Digest256
    /// A number that grows with every proof of the device, so that no proof is valid twice, like milliseconds since
    /// 1970.
    package let count: Int64
    package let signature: [UInt8]

    package init(name: String, token: Digest256, count: Int64, signature: [UInt8]) {
        self.name = name
        self.token = token
        self.count = count
        self.signature = signature
    }

    /// Returns the text that the device signs, in UTF-8.
    ///
    /// No other text that the key signs begins with these lines.
    package func signed(client: String) -> String {
        "vestibule-refresh-v1\n\(client)\n\(name)\n\(Base64URL.encode(token.bytes))\n\(count)"
    }
}
