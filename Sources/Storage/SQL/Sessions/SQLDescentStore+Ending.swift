package import Kernel
package import SignIn

// Ending what descends from a sign-in, kind by kind.
extension SQLDescentStore {
    @discardableResult
    package func end(
        _ outcome: Outcome,
        _ selection: Selection,
        in transaction: borrowing Transaction
    ) throws -> [UUIDBits] {
        if case .descent(_, let sessions) = selection, sessions.isEmpty { return [] }
        let writer = try transaction.connection()
        switch outcome {
        // The services that cache these end them one by one.
        case .session, .grant, .operation, .mailedCode: return []
        case .webSession: return try writer.endWebSessions(selection)
        case .interaction: return try writer.delete("oauth_interactions", selection, returning: "account", as: .account)
        case .code:
            // A redeemed code is kept: its replay shows that an attacker has it.
            return try writer.delete(
                "oauth_codes",
                selection,
                and: "redeemed_at IS NULL",
                returning: "account",
                as: .account
            )
        case .deviceCode: return try writer.endDeviceCodes(selection)
        case .consent: return try writer.delete("oauth_consents", selection, returning: "account", as: .account)
        case .passkey: return try writer.delete("passkeys", selection, returning: "id", as: .passkey)
        case .deviceKey: return try writer.endDeviceKeys(selection)
        case .deviceCredential: return try writer.endCredentials(selection)
        case .pushToken: return try writer.deleteOfDevices("push_tokens", selection)
        case .face: return try writer.endFaces(selection)
        case .password: return try writer.endPassword(selection)
        case .card: return try writer.endWallet(selection)
        }
    }
}

/// A condition with the values for its placeholders.
struct Condition {
    let text: String
    let values: [ColumnValue]

    /// `account`: the column of the account; `origin`: the column of the origin.
    init(
        _ selection: Selection,
        on connection: SQLConnection,
        account: String = "account",
        origin: String = "origin"
    ) {
        switch selection {
        case .descent(let owner, let sessions):
            text = "\(account) = ? AND \(origin) IN (\(connection.elements(of: "?")))"
            values = [owner.column, sessions.column]
        case .account(let owner, except: let kept?), .byPassword(let owner, except: let kept?):
            text = "\(account) = ? AND \(origin) IS DISTINCT FROM ?"
            values = [owner.column, kept.column]
        case .account(let owner, except: nil), .byPassword(let owner, except: nil):
            text = "\(account) = ?"
            values = [owner.column]
        case .bySignIn(let owner):
            text = "\(account) = ? AND \(origin) IS NOT NULL"
            values = [owner.column]
        case .notBegunWith(let owner, let kept):
            text =
                "\(account) = ? AND \(SQLDescentStore.faceMark) IS DISTINCT FROM (SELECT face FROM sessions WHERE id = ?)"
            values = [owner.column, kept.column(\.column)]
        case .client(let client):
            text = "client = ?"
            values = [client.column]
        }
    }
}

extension SQLConnection {
    fileprivate func delete(
        _ table: String,
        _ selection: Selection,
        and further: String = "TRUE",
        returning id: String,
        as kind: IDKind
    ) throws -> [UUIDBits] {
        try end(Condition(selection, on: self), kind) {
            "DELETE FROM \(table) WHERE \($0) AND \(further) RETURNING \(id) AS ended"
        }
    }

    /// Runs the statement with that condition, and returns the column `ended` of each row, ids of that kind.
    private func end(_ condition: Condition, _ kind: IDKind, by sql: (String) -> String) throws -> [UUIDBits] {
        // A request without a proof has no account.
        try all(sql(condition.text), condition.values) { columns in
            try columns.optionalID("ended", kind) ?? UUIDBits(high: 0, low: 0)
        }
    }

    fileprivate func endWebSessions(_ selection: Selection) throws -> [UUIDBits] {
        // Revoked sessions have ended already. Without this condition a client's sessions are found by reading all
        // sessions.
        let further = if case .client = selection { "AND revoked_at IS NULL" } else { "" }
        return try end(Condition(selection, on: self, origin: "id"), .session) {
            """
            DELETE FROM web_sessions
            WHERE session IN (SELECT id FROM sessions WHERE \($0) \(further)) RETURNING session AS ended
            """
        }
    }

    /// Device authorizations that wait for a person have no account yet, so they end only with their client.
    fileprivate func endDeviceCodes(_ selection: Selection) throws -> [UUIDBits] {
        try end(Condition(selection, on: self), .account) {
            """
            UPDATE device_authorizations
            SET state = 'denied', account = NULL, methods = NULL, authenticated_at = NULL, passkey = NULL, origin = NULL
            WHERE \($0) AND state IN ('pending', 'approved') RETURNING account AS ended
            """
        }
    }

    fileprivate func endDeviceKeys(_ selection: Selection) throws -> [UUIDBits] {
        let ended = try deleteOfDevices("device_keys", selection)
        for device in ended {
            try change("DELETE FROM device_challenges WHERE device = ?", [DeviceID(device).column])
        }
        return ended
    }

    fileprivate func endCredentials(_ selection: Selection) throws -> [UUIDBits] {
        try end(Condition(selection, on: self, origin: "credential_origin"), .device) {
            """
            UPDATE devices SET credential = NULL, credential_origin = NULL
            WHERE \($0) AND credential IS NOT NULL RETURNING id AS ended
            """
        }
    }

    /// Deletes rows of a table that has a device's id instead of an account's.
    fileprivate func deleteOfDevices(_ table: String, _ selection: Selection) throws -> [UUIDBits] {
        try end(Condition(selection, on: self, account: "devices.account", origin: "\(table).origin"), .device) {
            """
            DELETE FROM \(table) WHERE device IN (
                SELECT devices.id FROM devices JOIN \(table) ON \(table).device = devices.id WHERE \($0)
            ) RETURNING device AS ended
            """
        }
    }

    /// Ends faces.
    ///
    /// A face that was set up in a sign-in that the owner disowned keeps its row: its id at the provider is not used
    /// again.
    fileprivate func endFaces(_ selection: Selection) throws -> [UUIDBits] {
        var further = "state = 'active'"
        if case .byPassword = selection { further += " AND origin_methods = 'pwd'" }
        switch selection {
        case .account, .notBegunWith: return try delete("enrolments", selection, returning: "account", as: .account)
        case .descent, .byPassword, .bySignIn, .client: break
        }
        return try end(Condition(selection, on: self), .account) {
            """
            UPDATE enrolments SET state = 'revoked', version = version + 1
            WHERE \($0) AND \(further) RETURNING account AS ended
            """
        }
    }

    fileprivate func endPassword(_ selection: Selection) throws -> [UUIDBits] {
        try end(Condition(selection, on: self, account: "id", origin: "password_origin"), .account) {
            """
            UPDATE accounts SET password_hash = NULL, password_origin = NULL
            WHERE \($0) AND password_hash IS NOT NULL RETURNING id AS ended
            """
        }
    }

    /// Ends banks and their cards, and enrolments at banks that are in progress.
    fileprivate func endWallet(_ selection: Selection) throws -> [UUIDBits] {
        let condition = Condition(selection, on: self, origin: "NULL")
        try change("DELETE FROM bank_enrolments WHERE \(condition.text)", condition.values)
        return try end(condition, .account) { "DELETE FROM wallet_banks WHERE \($0) RETURNING account AS ended" }
    }
}
