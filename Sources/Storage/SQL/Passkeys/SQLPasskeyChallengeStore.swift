package import Kernel
package import Passkeys

/// The store of open passkey challenges.
package struct SQLPasskeyChallengeStore: PasskeyChallengeStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(
        _ challenge: PasskeyChallenge,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.connection()
        let number = try writer.insertNumbered(
            """
            INSERT INTO passkey_challenges (\(ChallengeColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            RETURNING number
            """,
            ChallengeColumns.values(of: challenge)
        )
        try writer.keepNewest(keepingPerSource, of: "passkey_challenges", where: "source", is: challenge.source.column)
        if let number { try writer.keepNewest(inAll, of: "passkey_challenges", after: number, with: challenge.digest) }
    }

    package func find(_ digest: Digest256) async throws -> PasskeyChallenge? {
        try await database.read { try $0.row(ChallengeColumns.self, where: "digest = ?", [digest.column]) }
    }

    package func isBound(to binding: Digest256, at now: Instant) async throws -> Bool {
        try await database.read { reader in
            try reader.exists(
                "SELECT 1 FROM passkey_challenges WHERE binding = ? AND expires_at > ? LIMIT 1",
                [binding.column, now.column]
            )
        }
    }

    package func use(_ digest: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            "DELETE FROM passkey_challenges WHERE digest = ? AND expires_at > ?",
            [digest.column, now.column]
        ) == 1
    }
}

/// The columns of a challenge, in the order of their values, without its number.
private enum ChallengeColumns: RowColumns {
    static let table: StaticString = "passkey_challenges"
    static let selected = """
        digest, binding, source, rp_id, user_verification, purpose, account, name, user_handle, algorithms,
        resident_key, attestation, created_at, expires_at
        """

    static func values(of challenge: PasskeyChallenge) -> [ColumnValue] {
        let head: [ColumnValue] = [
            challenge.digest.column, challenge.binding.column, challenge.source.column, challenge.rpID.column,
            challenge.userVerification.rawValue.column,
        ]
        let tail = [challenge.createdAt.column, challenge.expiresAt.column]
        switch challenge.purpose {
        case .registration(let made):
            return head + [
                "registration".column, made.account.column(\.column), made.name.column, .bytes(made.userHandle),
                made.algorithms.map { String($0.rawValue) }.spaced.column,
                made.residentKey.rawValue.column, made.attestation.rawValue.column,
            ] + tail
        case .authentication(.anybody):
            return head + ["authentication".column, .null, .null, .null, .null, .null, .null] + tail
        case .authentication(.named(let name, let account)):
            let named = ["authentication".column, account.column(\.column), name.column]
            return head + named + [.null, .null, .null, .null] + tail
        }
    }

    static func read(_ columns: inout ColumnReader) throws -> PasskeyChallenge {
        PasskeyChallenge(
            digest: try columns.digest("digest"),
            binding: try columns.digest("binding"),
            source: try columns.digest("source"),
            rpID: try columns.text("rp_id"),
            userVerification: try columns.value("user_verification"),
            purpose: try purpose(&columns),
            createdAt: try columns.instant("created_at"),
            expiresAt: try columns.instant("expires_at")
        )
    }

    private static func purpose(_ columns: inout ColumnReader) throws -> PasskeyChallenge.Purpose {
        let isRegistration = try columns.text("purpose") == "registration"
        let account = try columns.optionalID("account", AccountID.self)
        guard isRegistration else {
            return .authentication(try columns.optionalText("name").map { .named($0, account) } ?? .anybody)
        }
        return .registration(
            .init(
                account: account,
                name: try columns.text("name"),
                userHandle: try columns.bytes("user_handle"),
                algorithms: try columns.words("algorithms").compactMap { Int64($0).flatMap(COSEAlgorithm.init) },
                residentKey: try columns.value("resident_key"),
                attestation: try columns.value("attestation")
            )
        )
    }
}
