package import Crypto
package import Kernel

/// The secret in the URL to which a provider sends a browser back.
///
/// The provider gets it when a scan begins, and passes it to the browser when the scan ends. An attacker who only
/// opened the link does not know it, because a forwarded page returns in another browser. It is the HMAC-SHA256 (RFC
/// 2104) of the operation, the attempt and the browser. So it is not stored, and stays the same after a restart.
package struct ReturnSecrets: Sendable {
    private let key: KeyedHash

    package init(key: SymmetricKey) { self.key = KeyedHash(key: key) }

    /// Returns the secret of an attempt: 256 bits, base64url.
    package func secret(of operation: OperationRowID, _ scanAttempt: ScanAttempt) -> Secret {
        let attempt = withUnsafeBytes(of: Int64(scanAttempt.number).bigEndian) { Array($0) }
        return Secret(Base64URL.encode(key.digest(operation.bits.bytes, attempt, scanAttempt.browser.bytes).bytes))
    }

    /// Whether the text is the attempt's secret, compared in constant time.
    func matches(_ text: String, of operation: OperationRowID, _ scanAttempt: ScanAttempt) -> Bool {
        Digest256(sha256: text).matches(Digest256(sha256: secret(of: operation, scanAttempt).expose()))
    }
}
