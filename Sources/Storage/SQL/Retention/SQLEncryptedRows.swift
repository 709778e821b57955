package import Kernel
import Mail

/// The rows with encrypted parts, of which this type reads only the name of the key.
package struct SQLEncryptedRows: EncryptedRows {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func rows(
        _ kind: EncryptedRowKind,
        encryptedOtherwiseThanWith key: String,
        after last: EncryptedRow?,
        limit: Int
    ) async throws -> [EncryptedRow] {
        let table = EncryptedTable.of(kind)
        let start = last?.key ?? table.start
        return try await database.read { reader in
            try reader.all(table.select, [table.mark(key).column] + start + [limit.column], read: table.read)
        }
    }

    package func put(
        _ parts: [EncryptedRow.Part?],
        in row: EncryptedRow,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let table = EncryptedTable.of(row.kind)
        return try transaction.connection().change(table.update, table.values(parts) + row.key + row.stored) == 1
    }
}

/// The statements for one kind of row.
private struct EncryptedTable: Sendable {
    /// The parameters: the mark of the current encryption key, the last primary key, and a limit.
    let select: String
    /// The parameters: the new values, the primary key, and the stored values.
    let update: String
    /// A primary key before the first one.
    let start: [ColumnValue]
    /// Returns the mark: the start of a text encrypted with the named key, or the name itself.
    let mark: @Sendable (String) -> String
    let values: @Sendable ([EncryptedRow.Part?]) -> [ColumnValue]
    let read: @Sendable (inout ColumnReader) throws -> EncryptedRow

    static func of(_ kind: EncryptedRowKind) -> EncryptedTable {
        switch kind {
        case .bankLinks: links
        case .enrolments: enrolments
        case .pushTokens: pushTokens
        case .mails: mails
        case .backchannelRequests: backchannelRequests
        case .scanPages: scanPages
        }
    }

    /// The version rises: a sync that has read the row before writes nothing over the new values.
    private static let links = EncryptedTable(
        select: """
            SELECT account, bank, access_token, refresh_token FROM wallet_banks
            WHERE (substr(access_token, 1, length(?1)) <> ?1
                OR substr(refresh_token, 1, length(?1)) <> ?1) AND (account, bank) > (?2, ?3)
            ORDER BY account, bank LIMIT ?4
            """,
        update: """
            UPDATE wallet_banks SET access_token = ?, refresh_token = ?, version = version + 1
            WHERE account = ? AND bank = ?
                AND access_token IS NOT DISTINCT FROM ? AND refresh_token IS NOT DISTINCT FROM ?
            """,
        start: [.text(""), .text("")],
        mark: { "\($0)." },
        values: texts
    ) { columns in
        let (account, bank): (AccountID, String) = (try columns.id("account"), try columns.text("bank"))
        let stored = [try columns.optionalText("access_token"), try columns.optionalText("refresh_token")]
        return EncryptedRow(.bankLinks, .link(account, bank), key: [account.column, bank.column], texts: stored)
    }

    /// The verifier is empty after the first step of an enrolment.
    private static let enrolments = EncryptedTable(
        select: """
            SELECT state, NULLIF(verifier, '') AS verifier, held FROM bank_enrolments
            WHERE (substr(NULLIF(verifier, ''), 1, length(?1)) <> ?1
                OR substr(held, 1, length(?1)) <> ?1) AND state > ?2
            ORDER BY state LIMIT ?3
            """,
        update: """
            UPDATE bank_enrolments SET verifier = COALESCE(?, ''), held = ?
            WHERE state = ? AND NULLIF(verifier, '') IS NOT DISTINCT FROM ? AND held IS NOT DISTINCT FROM ?
            """,
        start: [.bytes([])],
        mark: { "\($0)." },
        values: texts
    ) { columns in
        let state = try columns.digest("state")
        let stored = [try columns.optionalText("verifier"), try columns.optionalText("held")]
        return EncryptedRow(.enrolments, .state(state), key: [state.column], texts: stored)
    }

    private static let pushTokens = EncryptedTable(
        select: """
            SELECT device, sealed FROM push_tokens WHERE substr(sealed, 1, length(?1)) <> ?1 AND device > ?2
            ORDER BY device LIMIT ?3
            """,
        update: "UPDATE push_tokens SET sealed = ? WHERE device = ? AND sealed IS NOT DISTINCT FROM ?",
        start: [.text("")],
        mark: { "\($0)." },
        values: texts
    ) { columns in
        let (device, stored): (DeviceID, String?) = (try columns.id("device"), try columns.optionalText("sealed"))
        return EncryptedRow(.pushTokens, .device(device), key: [device.column], texts: [stored])
    }

    private static let mails = EncryptedTable(
        select: """
            SELECT id, sealing_key, recipient, message FROM mail_queue WHERE sealing_key <> ?1 AND id > ?2
            ORDER BY id LIMIT ?3
            """,
        update: """
            UPDATE mail_queue SET sealing_key = ?, recipient = ?, message = ?
            WHERE id = ? AND sealing_key IS NOT DISTINCT FROM ?
                AND recipient IS NOT DISTINCT FROM ? AND message IS NOT DISTINCT FROM ?
            """,
        start: [.text("")],
        mark: { $0 },
        values: blobs
    ) { columns in
        let (id, name): (MailID, String) = (try columns.id("id"), try columns.text("sealing_key"))
        let stored = [try columns.bytes("recipient"), try columns.optionalBytes("message")]
        return EncryptedRow(.mails, .mail(id), key: [id.column], encryptedWith: name, blobs: stored)
    }

    private static let backchannelRequests = EncryptedTable(
        select: """
            SELECT id, sealing_key, sealed FROM backchannel_requests
            WHERE sealing_key <> ?1 AND id > ?2 ORDER BY id LIMIT ?3
            """,
        update: """
            UPDATE backchannel_requests SET sealing_key = ?, sealed = ?
            WHERE id = ? AND sealing_key IS NOT DISTINCT FROM ? AND sealed IS NOT DISTINCT FROM ?
            """,
        start: [.bytes([])],
        mark: { $0 },
        values: blobs
    ) { columns in
        let (id, name) = (try columns.digest("id"), try columns.text("sealing_key"))
        let stored = [try columns.optionalBytes("sealed")]
        return EncryptedRow(.backchannelRequests, .request(id), key: [id.column], encryptedWith: name, blobs: stored)
    }

    /// The version rises: a daemon that follows the operation writes its earlier text over no new one.
    private static let scanPages = EncryptedTable(
        select: """
            SELECT id, scan_browser, scan_page FROM operations
            WHERE ended_at IS NULL AND substr(scan_page, 1, length(?1)) <> ?1 AND id > ?2
            ORDER BY id LIMIT ?3
            """,
        update: """
            UPDATE operations SET scan_page = ?, seq = seq + 1
            WHERE id = ? AND scan_page IS NOT DISTINCT FROM ?
            """,
        start: [.text("")],
        mark: { "\($0)." },
        values: texts
    ) { columns in
        let (id, browser): (OperationRowID, Digest256) = (try columns.id("id"), try columns.digest("scan_browser"))
        let stored = try columns.optionalText("scan_page")
        return EncryptedRow(.scanPages, .scan(id, browser: browser), key: [id.column], texts: [stored])
    }

    @Sendable private static func texts(_ parts: [EncryptedRow.Part?]) -> [ColumnValue] {
        parts.map { part in part.column { $0.text.column } }
    }

    @Sendable private static func blobs(_ parts: [EncryptedRow.Part?]) -> [ColumnValue] {
        [(parts.lazy.compactMap { $0?.key }.first).column { $0.column }]
            + parts.map { part in part.column { .bytes($0.bytes) } }
    }
}

extension EncryptedRow {
    /// Each text contains the name of its key.
    fileprivate init(_ kind: EncryptedRowKind, _ name: Name, key: [ColumnValue], texts: [String?]) {
        self.init(
            kind: kind,
            name: name,
            parts: texts.map { text in text.map { Part(text: $0) } },
            key: key,
            stored: texts.map { text in text.column { $0.column } }
        )
    }

    /// A separate column contains the name of the key.
    fileprivate init(
        _ kind: EncryptedRowKind,
        _ name: Name,
        key: [ColumnValue],
        encryptedWith encryptionKey: String,
        blobs: [[UInt8]?]
    ) {
        self.init(
            kind: kind,
            name: name,
            parts: blobs.map { bytes in bytes.map { Part(key: encryptionKey, bytes: $0) } },
            key: key,
            stored: [encryptionKey.column] + blobs.map { bytes in bytes.column { .bytes($0) } }
        )
    }
}
