package import Kernel
package import SignIn

// What a remedy would end, kind by kind, by the conditions of its ending.
extension SQLDescentStore {
    package func count(
        _ outcome: Outcome,
        _ selection: Selection,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        if case .descent(_, let sessions) = selection, sessions.isEmpty { return 0 }
        let reader = try transaction.connection()
        switch outcome {
        case .session:
            let condition = Condition(selection, on: reader, origin: "id")
            return try reader.count(
                """
                SELECT COUNT(*) AS count FROM sessions WHERE \(condition.text) AND revoked_at IS NULL AND EXISTS (
                    SELECT 1 FROM refresh_tokens WHERE session = sessions.id AND expires_at > ?
                )
                """,
                condition.values + [now.column]
            )
        case .consent:
            let condition = Condition(selection, on: reader)
            return try reader.count(
                """
                SELECT COUNT(DISTINCT client) AS count FROM oauth_consents AS ended
                WHERE \(condition.text) AND NOT EXISTS (
                    SELECT 1 FROM oauth_consents
                    WHERE account = ended.account AND client = ended.client AND NOT (\(condition.text))
                )
                """,
                condition.values + condition.values
            )
        case .passkey: return try reader.count("COUNT(*)", of: "passkeys", selection)
        case .deviceKey:
            let condition = Condition(selection, on: reader)
            return try reader.count(
                """
                SELECT COUNT(*) AS count FROM devices
                WHERE \(condition.text) AND revoked_at IS NULL AND expires_at > ?
                """,
                condition.values + [now.column]
            )
        case .face:
            let isOfPassword = if case .byPassword = selection { " AND origin_methods = 'pwd'" } else { "" }
            return try reader.count("COUNT(*)", of: "enrolments", selection, and: "state = 'active'\(isOfPassword)")
        case .password:
            let condition = Condition(selection, on: reader, account: "id", origin: "password_origin")
            return try reader.count(
                "SELECT COUNT(*) AS count FROM accounts WHERE \(condition.text) AND password_hash IS NOT NULL",
                condition.values
            )
        case .card:
            let condition = Condition(selection, on: reader, origin: "NULL")
            return try reader.count(
                "SELECT COUNT(*) AS count FROM wallet_banks WHERE \(condition.text) AND unlinked_at IS NULL",
                condition.values
            )
        case .grant, .webSession, .interaction, .code, .deviceCode, .operation, .deviceCredential, .pushToken,
            .mailedCode:
            return 0
        }
    }
}

extension SQLConnection {
    fileprivate func count(
        _ number: String,
        of table: String,
        _ selection: Selection,
        and further: String = "TRUE"
    ) throws -> Int {
        let condition = Condition(selection, on: self)
        return try count(
            "SELECT \(number) AS count FROM \(table) WHERE \(condition.text) AND \(further)",
            condition.values
        )
    }
}
