import Foundation
import GRDB
import Kernel
import SignIn

@testable import Assembly
@testable import Storage

extension RemedyFixture {
    /// Whether the person still has what is of that kind.
    func has(_ person: Person, _ outcome: Outcome) async throws -> Bool {
        try await harness.database.pool.read { reader in
            let (sql, arguments) = question(person, outcome)
            return try Int.fetchOne(reader, sql: sql, arguments: StatementArguments(arguments)) != nil
        }
    }

    private func question(_ person: Person, _ outcome: Outcome) -> (String, [(any DatabaseValueConvertible)?]) {
        let (owner, session, device) = (account.description, person.session.description, person.device.description)
        switch outcome {
        case .session: return ("SELECT 1 FROM sessions WHERE id = ? AND revoked_at IS NULL", [session])
        case .grant:
            return ("SELECT 1 FROM sessions WHERE id = ? AND revoked_at IS NULL", [person.grant.description])
        case .webSession: return ("SELECT 1 FROM web_sessions WHERE session = ?", [session])
        case .interaction: return ("SELECT 1 FROM oauth_interactions WHERE origin = ?", [session])
        case .code: return ("SELECT 1 FROM oauth_codes WHERE origin = ?", [session])
        case .deviceCode:
            return ("SELECT 1 FROM device_authorizations WHERE origin = ? AND state = 'approved'", [session])
        case .operation:
            return (
                "SELECT 1 FROM operations WHERE kind = 'approve' AND started_by = ? AND ended_at IS NULL", [session]
            )
        case .consent: return ("SELECT 1 FROM oauth_consents WHERE origin = ?", [session])
        case .passkey: return ("SELECT 1 FROM passkeys WHERE id = ?", [person.passkey.description])
        case .deviceKey:
            return (Self.ofLiveDevice("JOIN device_keys ON device_keys.device = devices.id"), [device])
        case .deviceCredential: return (Self.ofLiveDevice("") + " AND credential IS NOT NULL", [device])
        case .pushToken: return (Self.ofLiveDevice("JOIN push_tokens ON push_tokens.device = devices.id"), [device])
        case .face:
            return (
                "SELECT 1 FROM enrolments WHERE account = ? AND provider = ? AND state = 'active'",
                [owner, person.provider]
            )
        case .password: return ("SELECT 1 FROM accounts WHERE id = ? AND password_hash = 'of somebody'", [owner])
        case .mailedCode:
            return ("SELECT 1 FROM email_codes WHERE id = ? AND ended_at IS NULL", [person.grant.description])
        case .card:
            return ("SELECT 1 FROM wallet_banks WHERE account = ? AND bank = ?", [owner, "bank \(person.number)"])
        }
    }

    private static func ofLiveDevice(_ join: String) -> String {
        "SELECT 1 FROM devices \(join) WHERE devices.id = ? AND revoked_at IS NULL"
    }
}
