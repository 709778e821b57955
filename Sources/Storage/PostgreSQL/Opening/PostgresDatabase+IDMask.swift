package import Kernel

/// The key of the mask of ids, which belongs to the database for ever.
extension PostgresDatabase {
    /// Returns the mask of the database's ids, and makes its key at the first start.
    ///
    /// The row of the key mark must be there. A key that an earlier encryption key hides is encrypted again.
    ///
    /// - Throws: ``PostgresOpenError`` for a database that can't be written, and for a key that can't be decrypted: with
    ///   another one every `sub` would change.
    package static func idMask(
        of options: PostgresOptions,
        encryptor: any Encryptor,
        environment: Environment
    ) throws(PostgresOpenError) -> IDMask {
        try PostgresOpening(options: options, clock: environment.clock).look { connection in
            let sql = SQLConnection(connection)
            if try stored(sql) == nil {
                guard try !tablesOfIDs.contains(where: { try holdsMaskedID($0, sql) }) else {
                    throw StoreError.corrupt(cause: "the key of the ids is gone from key_mark: restore a backup")
                }
                let key = Digest256(randomFrom: environment)
                // Another start may be the first to write.
                try put(key, over: nil, by: encryptor, sql)
            }
            guard let stored = try stored(sql) else { throw StoreError.corrupt(cause: "the key of the ids is gone") }
            guard let bytes = encryptor.decrypt(stored.bytes, key: stored.key, as: .idMask),
                let key = Digest256(bytes)
            else {
                throw StoreError.corrupt(
                    cause:
                        "no key of the config decrypts the key of the ids: give its key in secrets.earlierSealingKeys"
                )
            }
            if stored.key != encryptor.currentKey { try put(key, over: stored, by: encryptor, sql) }
            return IDMask(key: key)
        }
    }

    /// The tables whose rows have an ``EntityID`` of their own.
    package static let tablesOfIDs = [
        "accounts", "sessions", "devices", "passkeys", "operations", "email_codes", "mail_queue", "wallet_cards",
        "payments",
    ]

    /// Whether the table has an id of version 8, which was given out under the database's key.
    private static func holdsMaskedID(_ table: String, _ sql: SQLConnection) throws -> Bool {
        try sql.exists("SELECT 1 FROM \(table) WHERE substr(id, 15, 1) = '8' LIMIT 1")
    }

    private static func stored(_ sql: SQLConnection) throws -> EncryptedRow.Part? {
        let found = try sql.first("SELECT sealing_key, id_mask FROM key_mark") { columns in
            (key: try columns.optionalText("sealing_key"), bytes: try columns.optionalBytes("id_mask"))
        }
        guard let key = found?.key, let bytes = found?.bytes else { return nil }
        return EncryptedRow.Part(key: key, bytes: bytes)
    }

    private static func put(
        _ key: Digest256,
        over old: EncryptedRow.Part?,
        by encryptor: any Encryptor,
        _ sql: SQLConnection
    ) throws {
        try sql.change(
            "UPDATE key_mark SET sealing_key = ?, id_mask = ? WHERE id = 1 AND id_mask IS NOT DISTINCT FROM ?",
            [
                encryptor.currentKey.column, .bytes(try encryptor.encrypt(key.bytes, as: .idMask)),
                old.column { .bytes($0.bytes) },
            ]
        )
    }
}

extension EncryptionContext {
    fileprivate static let idMask: EncryptionContext = "key_mark.id_mask"
}
