import Devices
import Kernel
import Sessions
import StoreContract
import Testing

@testable import Storage

/// Sessions and their refresh tokens on every engine.
struct SQLSessionStoreTests {
    @Test(arguments: [nil, 4] as [UInt64?], StorageEngine.allCases)
    func `a session comes back as it was written, with or without a device`(
        _ device: UInt64?,
        _ engine: StorageEngine
    ) async throws {
        let session = Sample.session(device: device)
        try await engine.run(accounts: 2) { stores in
            let store = SQLSessionStore(stores.database)
            try await stores.insert(session, Sample.refreshToken())
            #expect(try await store.find(session.id) == session)
            #expect(try await store.find(Sample.sessionID(2)) == nil)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `a refresh row stands under its session, its family and its client`(_ engine: StorageEngine) async throws {
        try await engine.run(accounts: 2) { stores in
            let token = Sample.refreshToken()
            let session = Sample.session(device: 4)
            try await stores.insert(session, token)
            let row = try #require(
                try await stores.database.read { connection in
                    try connection.first("SELECT * FROM refresh_tokens") { try RefreshRow(from: &$0) }
                }
            )
            #expect(row.digests == [token.key, token.lineage.family, nil, nil])
            #expect(row.names == ["\(token.session)", session.client])
            #expect(row.times == [token.issuedAt, token.expiresAt, nil])
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `attack: a second session with the same refresh token key is refused and not stored`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(accounts: 2) { stores in
            let store = SQLSessionStore(stores.database)
            try await stores.insert(Sample.session(1), Sample.refreshToken(1, session: 1))
            await #expect(throws: StoreError.self) {
                try await stores.insert(Sample.session(2), Sample.refreshToken(1, session: 2))
            }
            #expect(try await store.find(Sample.sessionID(2)) == nil)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `revoking ends the account's live sessions and keeps when an earlier one ended`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(accounts: 2) { stores in
            let store = SQLSessionStore(stores.database)
            try await stores.insert(Sample.session(1), Sample.refreshToken(1, session: 1))
            #expect(try await stores.revokeAll(1, at: Sample.now) == 1)
            try await stores.insert(Sample.session(2), Sample.refreshToken(2, session: 2))
            try await stores.insert(Sample.session(3, account: 2), Sample.refreshToken(3, session: 3))
            #expect(try await stores.revokeAll(1, at: Sample.now + .seconds(9)) == 1)
            #expect(try await store.find(Sample.sessionID(1))?.revocation?.at == Sample.now)
            #expect(try await store.find(Sample.sessionID(2))?.revocation?.at == Sample.now + .seconds(9))
            #expect(try await store.find(Sample.sessionID(3))?.revocation == nil)
            #expect(try await stores.revokeAll(1, at: Sample.now + .seconds(10)) == 0)
        }
    }

    @Test(arguments: SessionStoreContract.allCases, StorageEngine.allCases)
    func `sessions keep the contract`(_ promise: SessionStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(accounts: 2) { stores in
            try await promise.check(
                over: SQLSessionStore(stores.database),
                purge: SQLExpiringRows.sessions.purge,
                stores.unitOfWork,
                accounts: [1, 2].map(Sample.accountID)
            ) { token in
                try await stores.change(
                    """
                    INSERT INTO refresh_tokens (jti_hash, session, family, parent, child, client, issued_at,
                        expires_at, first_used_at)
                    SELECT CAST(? AS \(engine.bytesType)), session, family, parent, child, client, issued_at,
                        CAST(? AS BIGINT), first_used_at
                    FROM refresh_tokens WHERE session = ? LIMIT 1
                    """,
                    [token.key.column, token.expiresAt.column, token.session.column]
                )
            } tokens: { session in
                try await stores.database.read { connection in
                    try connection.all("SELECT jti_hash FROM refresh_tokens WHERE session = ?", [session.column]) {
                        try $0.digest("jti_hash")
                    }
                }
            }
        }
    }

    @Test(arguments: SessionExpiryStoreContract.allCases, StorageEngine.allCases)
    func `expiries are noted by the contract`(
        _ promise: SessionExpiryStoreContract,
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(accounts: 1) { stores in
            let store = SQLSessionStore(stores.database)
            try await promise.check(over: store, stores.unitOfWork, account: Sample.accountID(1))
        }
    }

    @Test(arguments: RefreshStoreContract.allCases, StorageEngine.allCases)
    func `refresh tokens rotate by the contract`(_ promise: RefreshStoreContract, _ engine: StorageEngine) async throws
    {
        try await engine.run(accounts: 2) { stores in
            try await promise.check(
                over: SQLSessionStore(stores.database),
                purge: SQLExpiringRows.sessions.purge,
                stores.unitOfWork,
                accounts: [1, 2].map(Sample.accountID)
            )
        }
    }
}

/// The columns of a refresh token's row that the retention and the remedies use.
private struct RefreshRow {
    let digests: [Digest256?]
    let names: [String]
    let times: [Instant?]

    init(from row: inout ColumnReader) throws {
        digests = [
            try row.digest("jti_hash"), try row.digest("family"), try row.optionalDigest("parent"),
            try row.optionalDigest("child"),
        ]
        names = [try row.text("session"), try row.text("client")]
        times = [
            try row.optionalInstant("issued_at"), try row.optionalInstant("expires_at"),
            try row.optionalInstant("first_used_at"),
        ]
    }
}

extension StoreFixture {
    fileprivate func insert(_ session: Session, _ token: RefreshToken) async throws {
        let store = SQLSessionStore(database)
        try await unitOfWork.run { try store.insert(session, token, face: nil, in: $0) }
    }

    fileprivate func revokeAll(_ account: UInt64, at now: Instant) async throws -> Int {
        let store = SQLSessionStore(database)
        return try await unitOfWork.run {
            try store.revokeAll(of: Sample.accountID(account), except: nil, because: .accountDisabled, at: now, in: $0)
                .count
        }
    }
}
