import Accounts
import Audit
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Testing
import TokenReading
import Tokens
import Wire

@testable import Assembly
@testable import HTTPAPI
@testable import Settings

/// What an account's owner sees of its logins, and what "this wasn't me" does.
struct OwnersViewTests {
    @Test(arguments: ["", "/api"])
    func `the owner sees the account's logins, the newest first, and nobody else's`(_ prefix: String) async throws {
        try await Harness.run { harness in
            let first = try await harness.signIn()
            _ = try await harness.signIn("bob@example.com")
            await harness.pass(.seconds(2))
            let failed = try await harness.start(with: .cookies(first.device))
            try await harness.open(failed)
            try await harness.judge(.rejected(.notMatched))
            await harness.pass(.seconds(2))
            let pending = try await harness.start()

            let response = try await harness.send(.get, prefix + "/auth/operations", first.bearer)
            let seen = try response.decode(OwnedOperationsResponse.self).operations
            #expect(seen.map(\.status) == [.pending, .failed, .completed])
            #expect(seen.map(\.code) == [nil, "not_matched", nil])
            #expect(seen.map(\.knownDevice) == [false, true, false])
            #expect(seen.map(\.session) == [nil, nil, .init(open: true, current: true)])
            #expect(Set(seen.map(\.client)) == ["bbms"] && Set(seen.map(\.kind)) == ["login"])
            #expect(try seen.map(\.id) == [harness.row(pending), harness.row(failed), harness.row(first.login)])
            let odd = seen.filter { $0.startedAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) == nil }
            #expect(odd.isEmpty)
            #expect(!response.text.contains(pending.id) && !response.text.contains(first.login.id), "no secret id")
        }
    }

    // T-030
    @Test func `starts that came to nothing don't push out what the owner has to see`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            for number in 0..<8 {
                let login = try await harness.start()
                if number.isMultiple(of: 2) { try await harness.send(.post, login.cancelPath, login.bound) }
            }
            for _ in 0..<3 { await harness.pass(.seconds(100)) }
            #expect(try await harness.owned(ada, "?limit=1").map(\.id) == [harness.row(ada.login)])
        }
    }

    // T-106
    @Test func `attack: in production an old token ends a login in progress, but disowns no sign-in`() async throws {
        try await Harness.run {
            $0.mode = .production
        } _: { harness in
            let ada = try await harness.signIn()
            let done = try harness.row(ada.login)
            await harness.pass(.seconds(601))
            try harness.expect(try await harness.disown(done, ada), is: "step_up_required", 403)
            let again = try await harness.signIn()
            let pending = try harness.row(try await harness.start())
            #expect(try await harness.disown(pending, ada).status == .ok)
            #expect(try await harness.disown(done, again).status == .ok)
        }
    }

    @Test func `the owner's list shows the browser and system that each operation was started from`() async throws {
        try await Harness.run { harness in
            let phone = "Mozilla/5.0 (Linux; Android 15) <script>Chrome/140.0 " + String(repeating: "x", count: 5000)
            let failed = try await harness.start(with: [.userAgent: phone])
            try await harness.open(failed)
            try await harness.judge(.rejected(.notMatched))
            let ada = try await harness.signIn()
            _ = try await harness.send(.post, Harness.enrolPath, ada.bearer.adding(.userAgent, "Firefox/1 Windows"))
            let seen = try await harness.ownedEnrolments(ada) + harness.owned(ada)
            #expect(seen.map(\.kind) == ["enroll", "login", "login"])
            #expect(seen.map(\.origin?.agent) == ["Firefox, Windows", nil, "Chrome, Android"])
            let row = try #require(OperationRowID(parsing: seen[2].id))
            let stored = try #require(try await harness.composition.stores.operations.find(row: row)?.binding.origin)
            #expect(stored.email.isEmpty && stored.agent == "Chrome, Android", "nothing of the field itself is kept")
            let later = harness.composition.environment.now() + .seconds(1)
            _ = try await harness.composition.unitOfWork.run {
                try harness.composition.stores.upkeep.purge(of: .operations)(later, 100, $0)
            }
            #expect(try await harness.composition.stores.operations.find(row: row) == nil)
        }
    }

    // T-244
    @Test(arguments: ["0", "51", "-1", "x", ""])
    func `a limit is a number from 1 to 50`(_ limit: String) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let response = try await harness.send(.get, "/auth/operations?limit=\(limit)", ada.bearer)
            try harness.expect(response, is: "invalid_limit", 400)
        }
    }

    // T-244
    @Test(arguments: HarnessStorage.databases)
    func `attack: an owner view beyond its session's limit gets 429 without a read, other sessions' do not`(
        _ storage: HarnessStorage
    )
        async throws
    {
        try await Harness.run(storage: storage) {
            $0.limits.rates.accounts.ownerViewsPerSession = RateLimit(burst: 3, every: .seconds(1))
        } _: { harness in
            let attacker = try await harness.signIn()
            let ada = try await harness.signIn()
            for _ in 0..<2 { #expect(try await harness.owned(attacker).count == 2) }
            try harness.expect(try await harness.disown("x", attacker), is: "operation_not_found", 404)
            for path in ["/auth/operations", "/api/auth/operations"] {
                let refused = try await harness.send(.get, path, attacker.bearer)
                try harness.expect(refused, is: "rate_limited", 429)
                #expect(refused.headers[.retryAfter] == "1")
            }
            try harness.expect(try await harness.disown(try harness.row(ada.login), attacker), is: "rate_limited", 429)
            #expect(
                try await harness.owned(ada).map(\.session?.open) == [true, true],
                "nobody else's budget is used up"
            )
            #expect(harness.composition.service.limiterRefusals["owner_views_per_session"] == 3)
            harness.time.advance(by: .seconds(1))
            #expect(try await harness.owned(attacker).count == 2)
            try harness.composition.stores.upkeep.close()
            try harness.expect(
                try await harness.send(.get, "/auth/operations", attacker.bearer),
                is: "rate_limited",
                429
            )
            let unsigned: HTTPFields = [.authorization: "Bearer x"]
            try harness.expect(try await harness.send(.get, "/auth/operations", unsigned), is: "unauthorized", 401)
        }
    }

    // T-031
    @Test func `attack: "not me" on a login ends its session, its redelivery and its device link`()
        async throws
    {
        try await Harness.run { settings in
            settings.clients[0].initiators = .knownDevice
        } _: { harness in
            try await harness.link("ada@example.com", "A")
            let ada = try await harness.signIn(with: harness.linked("A"))
            try await harness.link("ada@example.com", "B")
            let attacker = try await harness.signIn(with: harness.linked("B"))
            #expect(try await harness.owned(ada).map(\.session?.open) == [true, true])

            let answer = try await harness.disown(try harness.row(attacker.login), ada)
            #expect(answer.status == .ok)
            #expect(try answer.decode(OwnedOperationView.self).session == .init(open: false, current: false))

            try harness.expect(
                try await harness.send(.get, "/auth/operations", attacker.bearer),
                is: "unauthorized",
                401
            )
            #expect(
                try await harness.word(attacker.login, attacker.login.bound) == "delivered",
                "nothing is handed out again"
            )
            #expect(try harness.operation(attacker.login).state.name == .closed)
            let further = try await harness.start(with: .cookies(harness.linked("B")))
            #expect(try harness.operation(further).isDecoy, "the device is unlinked")
            let own = try await harness.start(with: .cookies(harness.linked("A")))
            #expect(try !harness.operation(own).isDecoy, "the owner's is not")
            #expect(try await harness.owned(ada).filter { $0.session?.open == true }.map(\.session?.current) == [true])
            #expect(try await harness.count(of: "operation.disowned") == 1)
            _ = try await harness.disown(try harness.row(attacker.login), ada)
            #expect(try await harness.count(of: "operation.disowned") == 1, "said twice, on record once")
        }
    }

    // T-011, T-031
    @Test func `attack: "not me" on a login that was not collected ends it with denied_not_me`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let created = try await harness.start()
            let approved = try await harness.start()
            try await harness.approve(approved)
            for login in [created, approved] {
                let view = try await harness.disown(try harness.row(login), ada).decode(OwnedOperationView.self)
                #expect(view.status == .failed && view.code == "denied_not_me" && view.session == nil)
                #expect(try await harness.word(login, login.bound) == "denied_not_me")
            }
        }
    }

    // T-031
    @Test func `attack: "not me" on another account's or an unknown login answers 404`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let bob = try await harness.signIn("bob@example.com")
            let decoy = try await harness.start("nobody@example.com")
            for id in [
                try harness.row(ada.login), try harness.row(decoy), ada.login.id, "x",
                "00000000-0000-7000-8000-000000000000",
            ] {
                try harness.expect(try await harness.disown(id, bob), is: "operation_not_found", 404)
            }
            #expect(try await harness.owned(ada).map(\.session?.open) == [true])
        }
    }

    @Test func `who revokes the session that asks is signed out`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            #expect(try await harness.disown(try harness.row(ada.login), ada).status == .ok)
            try harness.expect(try await harness.send(.get, "/auth/operations", ada.bearer), is: "unauthorized", 401)
        }
    }
}

extension Harness {
    func row(_ login: StartedLogin) throws -> String { try operation(login).id.description }

    /// How many rows of the audit tell of that.
    func count(of event: String) async throws -> Int {
        try await composition.audit.newest(1000).count { $0.entry.event == event }
    }

    /// Links a device of the account whose cookie has a secret of that letter, as a sign-in by those methods does.
    func link(_ email: String, _ letter: Character, by methods: [String] = ["face"]) async throws {
        let now = composition.environment.now()
        let link = DeviceLink(
            device: composition.environment.newID(),
            account: try await composition.accounts.show(email).account.id,
            client: "bbms",
            cookie: Digest256(sha256: String(repeating: letter, count: 43)),
            methods: methods,
            lastSeenAt: now,
            validity: DeviceValidity(createdAt: now, expiresAt: now + .seconds(1000))
        )
        try await composition.unitOfWork.run { [store = composition.stores.people.devices.links] in
            try store.insert(link, in: $0)
        }
    }

    /// The cookie of a device that was linked with that letter.
    func linked(_ letter: Character) -> String { "vst_device=" + String(repeating: letter, count: 43) }
}
