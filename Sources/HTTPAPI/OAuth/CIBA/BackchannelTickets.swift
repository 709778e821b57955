package import Crypto
package import Kernel

/// The tickets of the landing pages of backchannel requests.
///
/// The link is sent twice: to the client, and to the person's own devices. A ticket is the HMAC-SHA256 (RFC 2104) of
/// its operation's row id, so that the database contains nothing that reveals it.
package struct BackchannelTickets: Sendable {
    private let key: KeyedHash

    package init(key: SymmetricKey) { self.key = KeyedHash(key: key) }

    /// Returns 256 bits in base64url.
    package func ticket(of operation: OperationRowID) -> Secret {
        Secret(Base64URL.encode(key.digest(operation.bits.bytes).bytes))
    }
}
