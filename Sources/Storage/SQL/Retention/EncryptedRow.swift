package import Kernel
package import Mail

/// Port: all rows with encrypted parts, of every module, as a change of the encryption key finds them.
package protocol EncryptedRows: Sendable {
    /// Returns the next rows with a part that is encrypted with another key, in the order of their names.
    func rows(
        _ kind: EncryptedRowKind,
        encryptedOtherwiseThanWith key: String,
        after last: EncryptedRow?,
        limit: Int
    ) async throws -> [EncryptedRow]

    /// Replaces the row's parts, all encrypted with one key; `false` if the row was changed since it was read.
    func put(_ parts: [EncryptedRow.Part?], in row: EncryptedRow, in transaction: borrowing Transaction) throws -> Bool
}

/// A kind of row with encrypted parts, which are encrypted again when the encryption key is changed.
package enum EncryptedRowKind: String, Sendable, CaseIterable {
    case bankLinks = "bank links"
    case enrolments = "enrolments at banks"
    case pushTokens = "push tokens"
    case mails = "mails"
    case backchannelRequests = "backchannel requests"
}

/// An encrypted row as the store holds it.
package struct EncryptedRow: Sendable {
    package let kind: EncryptedRowKind
    /// The row's own name, which is the context of its parts.
    package let name: Name
    /// Column by column; `nil` where there is nothing.
    package let parts: [Part?]
    /// The columns that the row is found by, and the stored values that an update replaces.
    let key: [ColumnValue]
    let stored: [ColumnValue]

    /// The columns of a primary key.
    package enum Name: Sendable, Equatable {
        /// An account and a bank's id.
        case link(AccountID, String)
        case state(Digest256)
        case device(DeviceID)
        case mail(MailID)
        case request(Digest256)
    }

    /// The encrypted bytes, and the name of their key.
    package struct Part: Sendable, Equatable {
        package let key: String
        package let bytes: [UInt8]

        package init(key: String, bytes: [UInt8]) {
            self.key = key
            self.bytes = bytes
        }

        /// Reads `KEY.BASE64URL`; a text in another form has no key, and nothing decrypts it.
        init(text: String) {
            let parts = text.split(separator: ".", maxSplits: 1)
            let bytes = parts.count == 2 ? Base64URL.decode(parts[1]) : nil
            self.init(key: bytes == nil ? "" : String(parts[0]), bytes: bytes ?? [])
        }

        var text: String { "\(key).\(Base64URL.encode(bytes))" }
    }
}
