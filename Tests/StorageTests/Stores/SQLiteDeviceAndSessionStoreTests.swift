import Devices
import Foundation
import GRDB
import Kernel
import Sessions
import StoreContract
import Testing

@testable import Storage

struct SQLiteDeviceLinkStoreTests {
    private let unitOfWork: SQLiteUnitOfWork
    private let store = SQLDeviceLinkStore()
    private let file: TestDatabase

    init() async throws {
        file = try TestDatabase()
        let database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        let accounts = SQLAccountStore(database)
        try await unitOfWork.run { transaction in
            for number in UInt64(1)...3 { try accounts.insert(Sample.account(number), in: transaction) }
        }
    }

    @Test func `a link comes back as it was written, by cookie and by device`() async throws {
        let link = Sample.link(revokedAt: Sample.now + .seconds(5))
        try await insert(link)
        #expect(try await find(link) == link)
        #expect(try await find(link.device, of: 1) == link)
    }

    @Test func `a link is found with its own cookie, account and client alone`() async throws {
        try await insert(Sample.link())
        for other in [Sample.link(2), Sample.link(account: 2), Sample.link(client: "other")] {
            #expect(try await find(other) == nil)
        }
        #expect(try await find(Sample.deviceID(1), of: 2) == nil)
    }

    @Test func `of several cookies the one that lasts longest counts, and a revoked one only where there is no other`()
        async throws
    {
        let links = [
            Sample.link(1, device: 1, expiresAt: Sample.now + .seconds(10)),
            Sample.link(2, device: 2, expiresAt: Sample.now + .seconds(20)),
            Sample.link(3, device: 3, expiresAt: Sample.now + .seconds(30), revokedAt: Sample.now),
        ]
        for link in links { try await insert(link) }
        #expect(try await find(links) == links[1])
        #expect(try await find([links[0], links[2], Sample.link(9)]) == links[0])
        #expect(try await find([links[2]]) == links[2])
        #expect(try await find([]) == nil)
    }

    @Test(arguments: DeviceLinkStoreContract.allCases)
    func `the store keeps the contract`(_ promise: DeviceLinkStoreContract) async throws {
        try await promise.check(
            over: store,
            purge: SQLExpiringRows.deviceLinks.purge,
            unitOfWork,
            accounts: [1, 2, 3].map(Sample.accountID)
        )
    }

    @Test func `prolonging moves the end of that link alone`() async throws {
        try await insert(Sample.link(account: 1))
        try await insert(Sample.link(account: 2))
        let longer = Sample.link(account: 1, expiresAt: Sample.now + .seconds(9000))
        try await unitOfWork.run { [store] in try store.prolong(longer, in: $0) }
        #expect(try await find(longer) == longer)
        #expect(try await find(Sample.link(account: 2)) == Sample.link(account: 2))
    }

    @Test func `attack: a revoked device link is not prolonged`() async throws {
        let revoked = Sample.link(revokedAt: Sample.now)
        try await insert(revoked)
        try await unitOfWork.run { [store] in
            try store.prolong(Sample.link(expiresAt: Sample.now + .seconds(9000)), in: $0)
        }
        #expect(try await find(revoked) == revoked)
    }

    private func insert(_ link: DeviceLink) async throws {
        try await unitOfWork.run { [store] in try store.insert(link, in: $0) }
    }

    private func find(_ link: DeviceLink) async throws -> DeviceLink? {
        try await unitOfWork.run { [store] in
            try store.find(cookies: [link.cookie], account: link.account, client: link.client, in: $0)
        }
    }

    private func find(_ links: [DeviceLink]) async throws -> DeviceLink? {
        try await unitOfWork.run { [store] in
            try store.find(cookies: links.map(\.cookie), account: Sample.accountID(1), client: "app", in: $0)
        }
    }

    private func find(_ device: DeviceID, of account: UInt64) async throws -> DeviceLink? {
        try await unitOfWork.run { [store] in try store.find(device, account: Sample.accountID(account), in: $0) }
    }
}

struct SQLiteSessionStoreTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork
    private let store: SQLSessionStore

    init() async throws {
        file = try TestDatabase()
        database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        store = SQLSessionStore(database)
        let accounts = SQLAccountStore(database)
        try await unitOfWork.run { transaction in
            for number in UInt64(1)...2 { try accounts.insert(Sample.account(number), in: transaction) }
        }
    }

    @Test(arguments: [nil, 4] as [UInt64?])
    func `a session comes back as it was written, with or without a device`(_ device: UInt64?) async throws {
        let session = Sample.session(device: device)
        try await insert(session, Sample.refreshToken())
        #expect(try await store.find(session.id) == session)
        #expect(try await store.find(Sample.sessionID(2)) == nil)
    }

    @Test func `a refresh row stands under its session, its family and its account`() async throws {
        let token = Sample.refreshToken()
        try await insert(Sample.session(device: 4), token)
        let row = try #require(try file.rows("SELECT * FROM refresh_tokens").first)
        let digests = ["jti_hash", "family", "parent", "child"].map { column in
            (row[column] as Data?).flatMap { Digest256(Array($0)) }
        }
        #expect(digests == [token.key, token.lineage.family, nil, nil])
        let ids = ["session", "account", "device"].map { row[$0] as String }
        #expect(ids == ["\(token.session)", "\(Sample.accountID(1))", "\(Sample.deviceID(4))"])
        let times = ["issued_at", "expires_at", "first_used_at"].map { row[$0] as Int64? }
        #expect(times == [token.issuedAt.milliseconds, token.expiresAt.milliseconds, nil])
    }

    @Test(arguments: [
        "SELECT jti_hash, session FROM refresh_tokens WHERE expires_at < 5 ORDER BY expires_at LIMIT 5",
        "SELECT id FROM sessions WHERE revoked_at < 5 ORDER BY revoked_at LIMIT 5",
        "SELECT cookie FROM device_links WHERE expires_at < 5 ORDER BY expires_at LIMIT 5",
        "SELECT cookie FROM device_links WHERE revoked_at < 5 ORDER BY revoked_at LIMIT 5",
    ])
    func `a sweep looks at no more rows than it deletes`(_ query: String) async throws {
        let plan = try file.rows("EXPLAIN QUERY PLAN " + query).map { $0["detail"] as String }
        #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH"), "\(plan)")
    }

    @Test func `attack: a second session with the same refresh token key is refused and not stored`() async throws {
        try await insert(Sample.session(1), Sample.refreshToken(1, session: 1))
        await #expect(throws: StoreError.self) {
            try await insert(Sample.session(2), Sample.refreshToken(1, session: 2))
        }
        #expect(try await store.find(Sample.sessionID(2)) == nil)
    }

    @Test func `revoking ends the account's live sessions and keeps when an earlier one ended`() async throws {
        try await insert(Sample.session(1), Sample.refreshToken(1, session: 1))
        #expect(try await revokeAll(1, at: Sample.now) == 1)
        try await insert(Sample.session(2), Sample.refreshToken(2, session: 2))
        try await insert(Sample.session(3, account: 2), Sample.refreshToken(3, session: 3))
        #expect(try await revokeAll(1, at: Sample.now + .seconds(9)) == 1)
        #expect(try await store.find(Sample.sessionID(1))?.revocation?.at == Sample.now)
        #expect(try await store.find(Sample.sessionID(2))?.revocation?.at == Sample.now + .seconds(9))
        #expect(try await store.find(Sample.sessionID(3))?.revocation == nil)
        #expect(try await revokeAll(1, at: Sample.now + .seconds(10)) == 0)
    }

    @Test(arguments: SessionStoreContract.allCases)
    func `the store keeps the contract`(_ promise: SessionStoreContract) async throws {
        try await promise.check(
            over: store,
            purge: SQLExpiringRows.sessions.purge,
            unitOfWork,
            accounts: [1, 2].map(Sample.accountID)
        ) { [file] token in
            let key = token.key.bytes.map { String(format: "%02x", $0) }.joined()
            try file.tamper(
                """
                INSERT INTO refresh_tokens (jti_hash, session, family, parent, child, account, client, device, issued_at,
                    expires_at, authenticated_at, first_used_at)
                SELECT x'\(key)', session, family, parent, child, account, client, device, issued_at,
                    \(token.expiresAt.milliseconds), authenticated_at, first_used_at
                FROM refresh_tokens WHERE session = '\(token.session)' LIMIT 1
                """
            )
        } tokens: { [file] session in
            try file.rows("SELECT jti_hash FROM refresh_tokens WHERE session = '\(session)'").compactMap {
                Digest256(Array($0["jti_hash"] as Data))
            }
        }
    }

    @Test(arguments: RefreshStoreContract.allCases)
    func `the store rotates by the contract`(_ promise: RefreshStoreContract) async throws {
        try await promise.check(
            over: store,
            purge: SQLExpiringRows.sessions.purge,
            unitOfWork,
            accounts: [1, 2].map(Sample.accountID)
        )
    }

    private func insert(_ session: Session, _ token: RefreshToken) async throws {
        try await unitOfWork.run { [store] in try store.insert(session, token, face: nil, in: $0) }
    }

    private func revokeAll(_ account: UInt64, at now: Instant) async throws -> Int {
        try await unitOfWork.run { [store] in
            try store.revokeAll(of: Sample.accountID(account), except: nil, because: .accountDisabled, at: now, in: $0)
        }
    }
}
