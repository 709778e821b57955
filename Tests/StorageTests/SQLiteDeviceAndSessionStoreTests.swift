import Devices
import GRDB
import Kernel
import Sessions
import StoreContract
import Testing

@testable import Storage

struct SQLiteDeviceLinkStoreTests {
    private let unitOfWork: SQLiteUnitOfWork
    private let store = SQLiteDeviceLinkStore()
    private let file: TestDatabase

    init() async throws {
        file = try TestDatabase()
        let database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        let accounts = SQLiteAccountStore(database)
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

    @Test func `a cookie that any account is linked by is known; the one that lasts longest stands for it`()
        async throws
    {
        try await insert(Sample.link(account: 1, device: 1, expiresAt: Sample.now + .seconds(10)))
        try await insert(Sample.link(account: 2, device: 2, expiresAt: Sample.now + .seconds(20)))
        try await insert(
            Sample.link(account: 3, device: 3, expiresAt: Sample.now + .seconds(30), revokedAt: Sample.now)
        )
        #expect(try await any(Sample.link())?.device == Sample.deviceID(2))
        #expect(try await any(Sample.link(2)) == nil)
        #expect(try await any(Sample.link(client: "other")) == nil)
    }

    @Test func `prolonging moves the end of that link alone`() async throws {
        try await insert(Sample.link(account: 1))
        try await insert(Sample.link(account: 2))
        let longer = Sample.link(account: 1, expiresAt: Sample.now + .seconds(9000))
        try await unitOfWork.run { [store] in try store.prolong(longer, in: $0) }
        #expect(try await find(longer) == longer)
        #expect(try await find(Sample.link(account: 2)) == Sample.link(account: 2))
    }

    @Test func `attack: a revoked link can't be prolonged`() async throws {
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
            try store.find(cookie: link.cookie, account: link.account, client: link.client, in: $0)
        }
    }

    private func find(_ device: DeviceID, of account: UInt64) async throws -> DeviceLink? {
        try await unitOfWork.run { [store] in try store.find(device, account: Sample.accountID(account), in: $0) }
    }

    private func any(_ link: DeviceLink) async throws -> DeviceLink? {
        try await unitOfWork.run { [store] in try store.anyLink(cookie: link.cookie, client: link.client, in: $0) }
    }
}

struct SQLiteSessionStoreTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork
    private let store: SQLiteSessionStore

    init() async throws {
        file = try TestDatabase()
        database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        store = SQLiteSessionStore(database)
        let accounts = SQLiteAccountStore(database)
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
        #expect(try row.digest("jti_hash") == token.key && row.digest("family") == token.family)
        #expect(try row.id("session", SessionID.self) == token.session)
        #expect(try row.id("account", AccountID.self) == Sample.accountID(1))
        #expect(try row.id("device", DeviceID.self) == Sample.deviceID(4))
        #expect(try row.instant("issued_at") == token.issuedAt && row.instant("expires_at") == token.expiresAt)
        #expect(try row.optionalDigest("parent") == nil && row.optionalDigest("child") == nil)
        #expect(row.optionalInstant("first_used_at") == nil)
    }

    @Test func `attack: a refresh token's key is taken once, and a refused session is not there`() async throws {
        try await insert(Sample.session(1), Sample.refreshToken(1, session: 1))
        await #expect(throws: StoreFailure.self) {
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
        #expect(try await store.find(Sample.sessionID(1))?.revokedAt == Sample.now)
        #expect(try await store.find(Sample.sessionID(2))?.revokedAt == Sample.now + .seconds(9))
        #expect(try await store.find(Sample.sessionID(3))?.revokedAt == nil)
        #expect(try await revokeAll(1, at: Sample.now + .seconds(10)) == 0)
    }

    private func insert(_ session: Session, _ token: RefreshToken) async throws {
        try await unitOfWork.run { [store] in try store.insert(session, token, in: $0) }
    }

    private func revokeAll(_ account: UInt64, at now: Instant) async throws -> Int {
        try await unitOfWork.run { [store] in
            try store.revokeAll(of: Sample.accountID(account), at: now, in: $0)
        }
    }
}
