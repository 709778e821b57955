import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Passkeys
import Sessions
import Settings
import SignIn
import SoftwareAuthenticator
import Synchronization
import Testing

@testable import Assembly
@testable import HTTPAPI

/// A passkey is removed, or called otherwise, by a session that stands at that moment.
struct PasskeyRemovalRaceTests {
    // T-116
    /// OWASP ASVS 5.0 §7.4.1: once a session is over nothing is done by it, also where it was read before.
    @Test(arguments: [true, false])
    func `attack: a session revoked between its check and the removal removes no passkey`(
        _ isRevoked: Bool
    ) async throws {
        try await Harness.run(.router) { harness in
            let ada = try await harness.signUp("ada")
            try await Self.addPasskey(to: ada, harness)
            let listed = try await harness.send(.get, "/api/auth/devices", ada.headers)
            let id = try #require(try listed.decode(OwnedPasskeysResponse.self).devices.first?.id)

            let application = Self.application(harness, revoking: isRevoked)
            try await application.test(.router) { client in
                let answer = try await client.execute(
                    uri: "/api/auth/devices/\(id)",
                    method: .delete,
                    headers: ada.headers
                )
                let expected: HTTPResponse.Status = isRevoked ? .unauthorized : .ok
                #expect(answer.status == expected)
            }
            let left = try await harness.composition.passkeys.owned.listAccounts(limit: 5).flatMap(\.passkeys)
            #expect(left.count == (isRevoked ? 2 : 1))
        }
    }

    // T-116
    @Test(arguments: [true, false])
    func `attack: a session revoked between its check and the renaming renames no passkey`(
        _ isRevoked: Bool
    ) async throws {
        try await Harness.run(.router) { harness in
            let ada = try await harness.signUp("ada")
            let listed = try await harness.send(.get, "/api/auth/devices", ada.headers)
            let id = try #require(try listed.decode(OwnedPasskeysResponse.self).devices.first?.id)
            let owned = harness.composition.passkeys.owned
            let before = try await owned.listAccounts(limit: 5).flatMap(\.passkeys)

            let application = Self.application(harness, revoking: false, aheadOfUnits: isRevoked)
            try await application.test(.router) { client in
                let answer = try await client.execute(
                    uri: "/api/auth/devices/\(id)",
                    method: .patch,
                    headers: ada.headers.adding(.contentType, "application/json"),
                    body: ByteBuffer(string: #"{"name":"Taken over"}"#)
                )
                let expected: HTTPResponse.Status = isRevoked ? .unauthorized : .ok
                #expect(answer.status == expected)
            }
            let after = try await owned.listAccounts(limit: 5).flatMap(\.passkeys)
            #expect((after == before) == isRevoked)
        }
    }

    // T-117
    @Test func `attack: after a removal that answered 503, a repeat ends the removed passkey's sessions`() async throws
    {
        try await Harness.run(.router) { harness in
            let ada = try await harness.signUp("ada")
            try await Self.addPasskey(to: ada, harness)
            let listed = try await harness.send(.get, "/api/auth/devices", ada.headers)
            let id = try #require(try listed.decode(OwnedPasskeysResponse.self).devices.first?.id)
            let ending = FaultyEnding()
            let units = harness.composition.unitOfWork
            let owned = OwnedPasskeys(
                unitOfWork: units,
                store: harness.composition.stores.people.passkeys.passkeys,
                people: NoPeople(),
                auditLog: RecordingAuditLog(),
                notices: ending,
                ending: ending
            )
            try await Self.application(harness, revoking: false, owned: owned).test(.router) { client in
                for status in [.serviceUnavailable, .notFound] as [HTTPResponse.Status] {
                    let path = "/api/auth/devices/\(id)"
                    let answer = try await client.execute(uri: path, method: .delete, headers: ada.headers)
                    #expect(answer.status == status)
                }
            }
            #expect(ending.settled == 1)
        }
    }

    private static func addPasskey(to person: BrowserOfTest, _ harness: Harness) async throws {
        harness.time.advance(by: .seconds(1))
        let options = try await harness.send(.post, "/api/auth/add-device/generate-options", person.headers)
        let (_, response) = try harness.browser.create(options.text)
        let added = try await harness.post("/api/auth/add-device/verify", response, person.headers)
        try #require(added.status == .ok, "\(added.text)")
    }

    /// The routes of owners alone; `revoking`: whether the account's sessions end once the request's was read, and
    /// ahead of the unit that removes.
    ///
    /// `aheadOfUnits`: whether they all end ahead of any unit.
    private static func application(
        _ harness: Harness,
        revoking: Bool,
        aheadOfUnits: Bool = false,
        owned: OwnedPasskeys? = nil
    ) -> Application<PublicResponder> {
        let composition = harness.composition
        let owned = owned ?? composition.passkeys.owned
        let (sessions, unitOfWork) = (composition.sessions, composition.unitOfWork)
        let units: any UnitOfWork =
            aheadOfUnits ? RevokingUnits(whole: unitOfWork, sessions: sessions, in: harness) : unitOfWork
        let api = OwnPasskeysAPI(
            passkeys: owned,
            changes: PasskeyChange(passkeys: owned, sessions: sessions, unitOfWork: units),
            accounts: composition.accounts,
            sessions: sessions,
            coolingOff: CoolingOff(
                keySetUpAt: { _, _ in nil },
                passkeys: { account in
                    if revoking {
                        _ = try await unitOfWork.run { transaction in
                            try sessions.revokeAll(of: account, because: .revokedByOperator, in: transaction)
                        }
                    }
                    return try await owned.list(of: account).map { ($0.id, $0.addition) }
                },
                wasFaceEnrolled: { _, _, _ in false }
            ),
            enrolmentPolicy: harness.api.enrolmentPolicy,
            ownPages: harness.api.server.ownPages,
            body: harness.api.server.body
        )
        return harness.application(api.routes, of: harness.api)
    }
}

/// Everybody's sessions end ahead of each unit.
private struct RevokingUnits: UnitOfWork {
    private let whole: any UnitOfWork
    private let sessions: SessionService
    private let accounts: @Sendable () async throws -> [AccountID]

    init(whole: any UnitOfWork, sessions: SessionService, in harness: Harness) {
        self.whole = whole
        self.sessions = sessions
        accounts = {
            try await harness.composition.passkeys.owned.listAccounts(limit: 5).flatMap(\.passkeys).map(\.account)
        }
    }

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        for account in try await accounts() {
            _ = try await whole.run { [sessions] transaction in
                try sessions.revokeAll(of: account, because: .revokedByOperator, in: transaction)
            }
        }
        return try await whole.run(body)
    }
}

/// Ends nothing, and at the first time can't be brought to memory.
private final class FaultyEnding: PasskeyEnding, PasskeyNotices {
    private let settlings = Mutex(0)

    /// How often memory has followed.
    var settled: Int { settlings.withLock { $0 - 1 } }

    func end(
        _ passkey: PasskeyID,
        of account: AccountID,
        except kept: SessionID?,
        in transaction: borrowing Transaction
    ) {}

    func settle(removedPasskeyOf account: AccountID) async throws {
        let count = settlings.withLock { count in
            count += 1
            return count
        }
        if count == 1 { throw StoreError.unavailable(cause: "scripted") }
    }

    func notify(
        _ notice: PasskeyNotice,
        of account: AccountID,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) {}
}

/// Nobody is asked about while there is another passkey.
private struct NoPeople: PasskeyPeople {
    private struct UnexpectedCallError: Error {}

    func person(named name: String, in transaction: borrowing Transaction) -> PasskeyPerson? { nil }
    func person(called username: String, in transaction: borrowing Transaction) -> PasskeyPerson? { nil }
    func person(_ account: AccountID, in transaction: borrowing Transaction) -> PasskeyPerson? { nil }
    func canBeNamed(_ name: String) -> Bool { false }
    func open(named name: String, in transaction: borrowing Transaction) throws -> AccountID {
        throw UnexpectedCallError()
    }
    func normalised(_ name: String) -> String { name }
}
