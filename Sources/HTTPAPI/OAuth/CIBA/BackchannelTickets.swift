package import Crypto
package import Kernel

/// The tickets of the pages that backchannel requests lead to.
///
/// The link has to be told twice: to the client, and to the person's own devices. So that nothing is kept from which it could
/// be read, a ticket is the HMAC-SHA256 (RFC 2104) of its operation's row.
package struct BackchannelTickets: Sendable {
    private let key: KeyedHash

    package init(key: SymmetricKey) { self.key = KeyedHash(key: key) }

    /// 256 bits, base64url.
    package func ticket(of operation: OperationRowID) -> Secret {
        Secret(Base64URL.encode(key.digest(operation.bits.bytes).bytes))
    }
}
