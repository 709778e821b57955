package import Crypto
package import Kernel

/// The tickets of the landing pages of backchannel requests.
///
/// The link is sent twice: to the client, and to the person's own devices. The random bits of a ticket are the
/// HMAC-SHA256 (RFC 2104) of its operation's row id, so that the database contains nothing that reveals it.
package struct BackchannelTickets: Sendable {
    private let key: KeyedHash
    private let tagged: TaggedIDs
    private let ids: IDForm

    package init(key: SymmetricKey, tagged: TaggedIDs, ids: IDForm) {
        self.key = KeyedHash(key: key)
        self.tagged = tagged
        self.ids = ids
    }

    /// Returns 256 bits in base64url, in the operation's bucket.
    package func ticket(of operation: OperationRowID) -> Secret {
        tagged.makeTicket(in: ids.bucket(of: operation), random: key.digest(operation.bits.bytes).bytes)
    }
}
