import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import Passkeys
import Sessions
import SoftwareAuthenticator
import Storage
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// A passkey is removed by a session that stands at that moment.
struct PasskeyRemovalRaceTests {
    /// OWASP ASVS 5.0 §7.4.1: once a session is over nothing is done by it, also where it was read before.
    @Test(arguments: [true, false])
    func `attack: a session that is revoked between its reading and the removal removes nothing`(
        _ isRevoked: Bool
    ) async throws {
        try await Bench.run(.router) { bench in
            let ada = try await bench.signUp("ada")
            try await Self.addPasskey(to: ada, bench)
            let listed = try await bench.send(.get, "/api/auth/devices", ada.headers)
            let id = try #require(try listed.decode(OwnedPasskeysResponse.self).devices.first?.id)

            let application = Self.application(bench, revoking: isRevoked)
            try await application.test(.router) { client in
                let answer = try await client.execute(
                    uri: "/api/auth/devices/\(id)",
                    method: .delete,
                    headers: ada.headers
                )
                let expected: HTTPResponse.Status = isRevoked ? .unauthorized : .ok
                #expect(answer.status == expected)
            }
            let left = try await bench.composition.passkeys.owned.listAccounts(limit: 5).flatMap(\.passkeys)
            #expect(left.count == (isRevoked ? 2 : 1))
        }
    }

    private static func addPasskey(to person: BrowserOfTest, _ bench: Bench) async throws {
        bench.time.advance(by: .seconds(1))
        let options = try await bench.send(.post, "/api/auth/add-device/generate-options", person.headers)
        let (_, response) = try bench.browser.create(options.text)
        let added = try await bench.post("/api/auth/add-device/verify", response, person.headers)
        try #require(added.status == .ok, "\(added.text)")
    }

    /// The routes of owners alone; `revoking`: whether the account's sessions end once the request's was read, and ahead of
    /// the unit that removes.
    private static func application(
        _ bench: Bench,
        revoking: Bool
    ) -> Application<PublicResponder> {
        let composition = bench.composition
        let (owned, sessions, unitOfWork) = (composition.passkeys.owned, composition.sessions, composition.unitOfWork)
        let api = OwnPasskeysAPI(
            passkeys: owned,
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
                    return try await owned.list(of: account).map { (id: $0.id, madeAt: $0.createdAt) }
                },
                wasFaceEnrolled: { _, _, _ in false }
            ),
            unitOfWork: unitOfWork,
            bodyLimit: bench.settings.limits.bodyBytes
        )
        let table = RouteTable(api.routes, behind: bench.api.gate(bench.settings))
        let edge = EdgeMiddleware(
            facts: composition.facts,
            isHTTPS: false,
            bodyLimit: bench.settings.limits.bodyBytes,
            accessLog: nil,
            faultLog: bench.log.logger,
            crossOrigin: CrossOrigin(origins: [], publicURL: bench.settings.publicURL)
        )
        return Application(responder: table.responder(edge: edge), logger: bench.log.logger)
    }
}
