package import Crypto
package import Kernel

/// The secret in the address that a provider sends a browser back to.
///
/// The provider gets it with the start, and the browser from the provider when the scan is over. An attacker that only
/// opened the link does not know it: a browser that returns from a forwarded page is another one. It is the HMAC-SHA256
/// (RFC 2104) of the operation, the attempt and the browser, so that nothing is stored and a restart changes nothing.
package struct ReturnSecrets: Sendable {
    private let key: KeyedHash

    package init(key: SymmetricKey) { self.key = KeyedHash(key: key) }

    /// Returns the secret of an attempt: 256 bits, base64url.
    package func secret(of operation: OperationRowID, _ scanAttempt: ScanAttempt) -> Secret {
        let attempt = withUnsafeBytes(of: Int64(scanAttempt.number).bigEndian) { Array($0) }
        return Secret(Base64URL.encode(key.digest(operation.bits.bytes, attempt, scanAttempt.browser.bytes).bytes))
    }

    /// Whether that text is the secret of the attempt; takes as long whether it is or not.
    func matches(_ text: String, of operation: OperationRowID, _ scanAttempt: ScanAttempt) -> Bool {
        Digest256(sha256: text).matches(Digest256(sha256: secret(of: operation, scanAttempt).expose()))
    }
}
