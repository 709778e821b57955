package import Kernel
package import Mail

/// Port: all rows with encrypted parts, of every module, for the change of the encryption key.
package protocol EncryptedRows: Sendable {
    /// Returns the next rows with a part that is encrypted with another key, ordered by their names.
    func rows(
        _ kind: EncryptedRowKind,
        encryptedOtherwiseThanWith key: String,
        after last: EncryptedRow?,
        limit: Int
    ) async throws -> [EncryptedRow]

    /// Replaces the row's parts, which are all encrypted with one key.
    ///
    /// - Returns: `false` if the row was changed after it was read.
    func put(_ parts: [EncryptedRow.Part?], in row: EncryptedRow, in transaction: borrowing Transaction) throws -> Bool
}

/// A kind of row with encrypted parts, which are encrypted again when the encryption key is changed.
package enum EncryptedRowKind: String, Sendable, CaseIterable {
    case bankLinks = "bank links"
    case enrolments = "enrolments at banks"
    case pushTokens = "push tokens"
    case mails = "mails"
    case backchannelRequests = "backchannel requests"
    case scanPages = "pages of scans"
}

/// An encrypted row as the database stores it.
package struct EncryptedRow: Sendable {
    package let kind: EncryptedRowKind
    /// The identity of the row, which is the encryption context of its parts.
    package let name: Name
    /// One part for each column; `nil` for an empty column.
    package let parts: [Part?]
    /// The primary key of the row; `stored`: the values that an update replaces.
    let key: [ColumnValue]
    let stored: [ColumnValue]

    /// The values of a primary key.
    package enum Name: Sendable, Equatable {
        /// An account's id and a bank's id.
        case link(AccountID, String)
        case state(Digest256)
        case device(DeviceID)
        case mail(MailID)
        case request(Digest256)
        /// An operation's id, and SHA-256 of the cookie of the browser that its page is for.
        case scan(OperationRowID, browser: Digest256)
    }

    /// The encrypted bytes, and the name of their key.
    package struct Part: Sendable, Equatable {
        package let key: String
        package let bytes: [UInt8]

        package init(key: String, bytes: [UInt8]) {
            self.key = key
            self.bytes = bytes
        }

        /// Reads `KEY.BASE64URL`: a text in another form gets an empty key name, so that it can't be decrypted.
        init(text: String) {
            let parts = text.split(separator: ".", maxSplits: 1)
            let bytes = parts.count == 2 ? Base64URL.decode(parts[1]) : nil
            self.init(key: bytes == nil ? "" : String(parts[0]), bytes: bytes ?? [])
        }

        var text: String { "\(key).\(Base64URL.encode(bytes))" }
    }
}
