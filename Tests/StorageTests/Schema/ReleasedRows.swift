import Accounts
import Devices
import Foundation
import GRDB
import Kernel
import Mail
import OAuth
import Operations
import Passkeys
import Sessions
import Wallet

@testable import Storage

/// The rows of a database of an earlier version, as the stores read and write them.
struct ReleasedRows {
    /// What a store made of a table's rows.
    struct Reading: Sendable {
        let table: String
        let read: Int
        let expected: Int
    }

    let file: TestDatabase
    let database: SQLiteDatabase

    private var operations: SQLOperationStore { SQLOperationStore(database) }

    /// Reads each table's rows one by one, by the keys that they have.
    func readings() async throws -> [Reading] {
        try await accountReadings() + sessionReadings() + grantReadings() + queueReadings()
    }

    private func accountReadings() async throws -> [Reading] {
        let (accounts, addresses, enrolments) = (
            SQLAccountStore(database), SQLAddressStore(), SQLEnrolmentStore()
        )
        let records = try await accounts.list(limit: 100)
        return try await readings { transaction in
            [
                try reading("accounts") { try accounts.profile(id($0, "id"), in: transaction) },
                Reading(
                    table: "account_attributes",
                    read: records.reduce(0) { $0 + $1.account.attributes.given.count },
                    expected: try file.count("account_attributes")
                ),
                Reading(
                    table: "identifiers and address_claims",
                    read: try records.reduce(0) {
                        $0 + (try addresses.addresses(of: $1.account.id, in: transaction).count)
                    },
                    expected: try file.count("identifiers") + file.count("address_claims")
                ),
                try reading("enrolments") { row in
                    try enrolments.find(id(row, "account"), at: row["provider"], in: transaction)
                },
                try reading("lockouts") { try SQLLockoutStore().find(digest($0, "subject"), in: transaction) },
                try reading("email_codes") {
                    try SQLEmailCodeStore(database).find(id($0, "id") as EmailCodeID, in: transaction)
                },
                try reading("passkeys") {
                    try SQLPasskeyStore(database).find(id($0, "id") as PasskeyID, in: transaction)
                },
            ]
        } + [
            try await reading("passkey_challenges") {
                try await SQLPasskeyChallengeStore(database).find(digest($0, "digest"))
            }
        ]
    }

    private func sessionReadings() async throws -> [Reading] {
        let (devices, keys) = (SQLRegisteredDeviceStore(), SQLDeviceKeyStore())
        return try await readings { transaction in
            [
                try reading("device_links") { row in
                    try SQLDeviceLinkStore().find(
                        cookies: [digest(row, "cookie")],
                        account: id(row, "account"),
                        client: row["client"],
                        in: transaction
                    )
                },
                try reading("devices") { try devices.find(id($0, "id") as DeviceID, in: transaction) },
                try reading("device_keys") { try keys.key(of: id($0, "device"), in: transaction) },
                try reading("device_challenges") { try keys.challenge(of: id($0, "device"), in: transaction) },
                try reading("push_tokens") { try devices.pushToken(of: id($0, "device"), in: transaction) },
                try reading("sessions") { try SQLSessionStore(database).find(id($0, "id"), in: transaction) },
                try reading("session_origins") { row in
                    let children = try SQLDescentStore().children(
                        of: [id(row, "origin")],
                        account(of: row),
                        byMeans: false,
                        in: transaction
                    )
                    return children.first
                },
                try reading("refresh_tokens") {
                    try SQLSessionStore(database).family(of: digest($0, "jti_hash"), in: transaction)
                },
                try reading("client_endings") { row in
                    try SQLDescentStore().endingClients(in: transaction).first { $0 == row["client"] }
                },
                try reading("session_expiries") { _ in
                    try SQLSessionStore(database).expiriesNotedUntil(in: transaction)
                },
            ]
        } + [
            try await reading("web_sessions") { try await SQLWebSessionStore(database).find(digest($0, "cookie")) },
            try await reading("operations") { try await operations.find(row: id($0, "id")) },
        ]
    }

    private func grantReadings() async throws -> [Reading] {
        let (clients, at) = (SQLOAuthClientStore(database), TestDatabase.now)
        // Before they are used: a request is taken once.
        let expected = try file.count("oauth_requests") + file.count("oauth_registration_tickets")
        return try await readings { transaction in
            [
                try reading("oauth_clients") { try clients.find($0["id"], in: transaction) },
                Reading(
                    table: "oauth_client_secrets",
                    read: try secrets(of: clients.find("web", in: transaction)),
                    expected: try file.count("oauth_client_secrets")
                ),
                Reading(
                    table: "logout_notices",
                    read: try SQLLogoutNoticeStore().state(upTo: 99, in: transaction).waiting,
                    expected: try file.count("logout_notices")
                ),
                try reading("oauth_codes") {
                    try SQLAuthorizationCodeStore().find(digest($0, "digest"), in: transaction)
                },
                try reading("oauth_interactions") {
                    try SQLInteractionStore().find(digest($0, "id"), in: transaction)
                },
                try reading("oauth_consents") { row in
                    let all = try SQLConsentStore().find(id(row, "account"), client: row["client"], in: transaction)
                    return all.first
                },
                try reading("oauth_grants") {
                    try SQLOAuthGrantStore(database).find(id($0, "session"), in: transaction)
                },
                try reading("device_authorizations") {
                    try SQLDeviceAuthorizationStore().find(deviceCode: digest($0, "device_code"), in: transaction)
                },
                try reading("scans") { try operations.face(of: digest($0, "scan"), in: transaction) },
            ]
        } + [
            Reading(
                table: "oauth_requests and oauth_registration_tickets",
                read: try await SQLiteUnitOfWork(database).run { transaction in
                    let requests = try file.rows("SELECT * FROM oauth_requests").count { row in
                        try SQLPushedRequestStore()
                            .take(digest(row, "digest"), of: row["client"], at: at, in: transaction) != nil
                    }
                    let tickets = try file.rows("SELECT * FROM oauth_registration_tickets").count { row in
                        try clients.use(digest(row, "digest"), at: at, in: transaction)
                    }
                    return requests + tickets
                },
                expected: expected
            )
        ]
    }

    private func queueReadings() async throws -> [Reading] {
        let (wallet, audit) = (SQLWalletStore(database), SQLAuditStore(database))
        return [
            try await reading("mail_queue") { try await SQLMailQueueStore(database).find(id($0, "id")) },
            Reading(
                table: "backchannel_requests",
                read: try await SQLBackchannelStore(database)
                    .following(nil, keptAfter: Instant(milliseconds: 0), limit: 100).count,
                expected: try file.count("backchannel_requests")
            ),
            try await reading("wallet_banks") { try await wallet.link($0["bank"], of: id($0, "account")) },
            try await reading("wallet_cards") { row in
                let account: AccountID = try id(row, "account")
                return try await database.reading { try wallet.heldCards(of: account, in: $0) }
                    .first { $0.id.description == row["id"] }
            },
            try await reading("bank_enrolments") {
                try await SQLBankEnrolmentStore(database).find(state: digest($0, "state"))
            },
            try await reading("payments") { try await SQLPaymentStore(database).find(id($0, "id")) },
            Reading(
                table: "audit",
                read: try await audit.rows(of: "local", from: 1, limit: 100).count,
                expected: try file.count("audit")
            ),
            Reading(
                table: "key_mark",
                read: try SQLiteDatabase.keyMark(SQLiteDatabase.Options(path: file.path)) == nil ? 0 : 1,
                expected: 1
            ),
        ]
    }

    /// Changes what is there, and adds to it.
    func write() async throws {
        let (accounts, sessions) = (SQLAccountStore(database), SQLSessionStore(database))
        let (owner, now) = (Sample.accountID(1), TestDatabase.now)
        let found = try await operations.list(OperationFilter())
        try await SQLiteUnitOfWork(database).run { transaction in
            try accounts.setDisplayName("Renamed", of: owner, in: transaction)
            try accounts.insert(Sample.account(9), in: transaction)
            try sessions.insert(
                Sample.session(9, account: 9),
                Sample.refreshToken(9, session: 9),
                face: nil,
                in: transaction
            )
            for operation in found {
                guard try operations.update(operation, over: operation.seq, in: transaction) else { throw Refused() }
            }
            guard try SQLRegisteredDeviceStore().take(count: 8, of: Self.countedDevice, in: transaction) else {
                throw Refused()
            }
            for passkey in try SQLPasskeyStore(database).list(of: owner, limit: 9, in: transaction) {
                try SQLPasskeyStore(database).noteCloneSign(of: passkey.id, in: transaction)
            }
            _ = try SQLMailQueueStore(database).expedite(at: now, in: transaction)
        }
    }

    /// A store did not take a change.
    private struct Refused: Error {}

    private static let countedDevice = DeviceID(UUIDBits(high: 0x7000, low: 0x8000_0000_0000_000c))

    private func readings(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> [Reading]
    ) async throws -> [Reading] {
        try await database.reading(body)
    }

    private func reading<Value>(_ table: String, _ find: (Row) throws -> Value?) throws -> Reading {
        let rows = try file.rows("SELECT * FROM \(table)")
        return Reading(table: table, read: try rows.count { try find($0) != nil }, expected: rows.count)
    }

    private func reading<Value>(_ table: String, _ find: (Row) async throws -> Value?) async throws -> Reading {
        let rows = try file.rows("SELECT * FROM \(table)")
        var count = 0
        for row in rows where try await find(row) != nil { count += 1 }
        return Reading(table: table, read: count, expected: rows.count)
    }

    private func secrets(of client: StoredOAuthClient?) -> Int {
        guard case .secret(let secrets) = client?.client.authentication else { return 0 }
        return secrets.count
    }

    private func account(of session: Row) throws -> AccountID {
        let rows = try file.rows("SELECT account FROM sessions WHERE id = '\(session["origin"] as String)'")
        guard let row = rows.first else { throw Refused() }
        return try id(row, "account")
    }

    private func id<ID: EntityID>(_ row: Row, _ column: String) throws -> ID {
        guard let id = ID(parsing: row[column] as String) else { throw Refused() }
        return id
    }

    private func digest(_ row: Row, _ column: String) throws -> Digest256 {
        guard let digest = Digest256([UInt8](row[column] as Data)) else { throw Refused() }
        return digest
    }
}
