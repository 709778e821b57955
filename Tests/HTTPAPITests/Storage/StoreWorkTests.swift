import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wire

@testable import Assembly

/// The cost of a login for the store, counted over HTTP through all its life.
///
/// No part of it tells whether the address has an account that could be signed in.
///
/// That a start made a decoy is put on record later, by a service that no request waits for, at a bounded rate.
@Suite(.timeLimit(.minutes(10)))
struct StoreWorkTests {
    /// Whom a start is for.
    enum Whom: String, CaseIterable {
        case enrolled = "ada@example.com"
        case disabled = "bob@example.com"
        case faceless = "carol@example.com"
        case unknown = "nobody@example.com"
    }

    /// What a start brings: nothing that holds, so that with `known-device` all four get a decoy.
    enum Presented: CaseIterable {
        case nothing, foreignCookie, foreignCredential

        func headers(_ cookie: String) -> HTTPFields {
            switch self {
            case .nothing: [:]
            case .foreignCookie: .cookies(cookie)
            case .foreignCredential: [.deviceCredential: String(repeating: "c", count: 43)]
            }
        }
    }

    // T-027
    @Test(arguments: [ClientPolicy.Initiators.anyone, .knownDevice], Presented.allCases)
    func `attack: from start to sweep, an unopened login costs the same database work for every address`(
        _ initiators: ClientPolicy.Initiators,
        _ presented: Presented
    ) async throws {
        let works = try await Self.works(initiators, presented) { harness, whom, headers, book in
            let login = try await harness.start(whom.rawValue, with: headers)
            #expect(try harness.operation(login).isDecoy == (whom != .enrolled || initiators == .knownDevice))
            try book("start")
            for (name, headers) in Self.callers(login) {
                _ = try await harness.poll(login, headers)
                try book("poll \(name)")
            }
            async let answer = harness.send(.get, login.pollPath + "?wait=1", login.bound)
            try await WaitTests.parked(harness, 1)
            harness.time.advance(by: .seconds(1))
            harness.composition.service.cache.wakeOverdue(at: harness.time.now)
            _ = try await answer
            try book("poll that waits")
            for method in [HTTPRequest.Method.get, .head] {
                try await harness.send(method, login.landingPath)
                try book("\(method) of the page")
            }
            try await harness.send(.post, login.cancelPath)
            try book("cancellation without proof")
            await harness.pass(.seconds(100))
            try book("a while")
            for _ in 0..<10 { await harness.pass(.seconds(9)) }
            try book("deadline")
            _ = try await harness.poll(login, login.bound)
            try await harness.send(.get, login.landingPath)
            try await harness.open(login)
            try book("after the deadline")
            await harness.pass(.seconds(601))
            try book("out of the cache")
            #expect(try await harness.word(login, login.bound) == "expired")
            try book("poll of what only the store remembers")
            harness.time.advance(by: .seconds(100 * 24 * 3600))
            _ = try await harness.composition.retention.sweep(at: harness.time.wall)
            try book("sweep")
        }
        Self.expectAlike(works)
        let costs = Dictionary(uniqueKeysWithValues: (works[.enrolled] ?? []).map { ($0.step, $0) })
        #expect(costs["start"]?.units == 1 && costs["start"]?.rows == 1 && costs["start"]?.reads == 0)
        #expect(costs["start"]?.statements.contains { $0.hasPrefix("INSERT INTO operations") } == true)
        #expect(costs["poll without proof"]?.statements == [])
        let updates = (works[.enrolled] ?? []).flatMap(\.statements).filter { $0.hasPrefix("UPDATE operations") }
        #expect(!updates.isEmpty, "it expires in the store too: \(costs)")
        #expect(costs["poll of what only the store remembers"]?.reads == 1)
        #expect((costs["sweep"]?.rows ?? 0) > 0)
    }

    // T-027
    @Test func `attack: cancelling costs the same database work for every address`() async throws {
        let works = try await Self.works { harness, whom, headers, book in
            let login = try await harness.start(whom.rawValue, with: headers)
            try book("start")
            let response = try await harness.send(.post, login.cancelPath, login.bound)
            #expect(response.text.contains("canceled"))
            try book("cancellation")
            try await harness.send(.post, login.cancelPath, login.bound)
            _ = try await harness.poll(login, login.bound)
            try book("once more")
        }
        Self.expectAlike(works)
        #expect(works[.enrolled]?[1].units == 1)
    }

    // T-019
    @Test func `attack: typed pairing numbers cost the same database work for every address`()
        async throws
    {
        let works = try await Self.works { harness, whom, _, book in
            let login = try await harness.startAcross(whom.rawValue)
            try book("start")
            try await harness.send(.get, login.landingPath)
            try book("page")
            _ = try await harness.type("", login)
            try book("no number")
            let right = try #require(login.answer.number.flatMap { Int($0) })
            for number in 1...3 {
                _ = try await harness.type(PairingNumber((right + number) % 100)?.text, login)
                try book("wrong number \(number)")
            }
            #expect(try await harness.word(login, login.bound) == "too_many_attempts")
            try book("poll")
        }
        Self.expectAlike(works)
        #expect(works[.enrolled]?.filter { $0.step.hasPrefix("wrong") }.map(\.units) == [1, 1, 1])
    }

    // T-027
    @Test func `attack: opening a decoy costs the same database work, whatever made it a decoy`() async throws {
        var works = try await Self.works { harness, whom, headers, book in
            let login = try await harness.start(whom.rawValue, with: headers)
            try book("start")
            for number in 1...3 {
                let page = try await harness.open(login)
                #expect(page.status == (whom == .enrolled ? .seeOther : .ok))
                try book("opened, \(number)")
            }
            for (name, headers) in Self.callers(login) {
                _ = try await harness.poll(login, headers)
                try book("poll \(name)")
            }
            try await harness.send(.post, login.landingPath + "/not-me", [.fetchSite: "same-origin"])
            try book("denied")
            _ = try await harness.poll(login, login.bound)
            try book("poll after that")
        }
        let enrolled = works.removeValue(forKey: .enrolled)
        Self.expectAlike(works)
        // Its browser is sent to the provider, which nobody can overlook; and what is counted here does see that.
        #expect(enrolled != works[.unknown])
        #expect(enrolled?.first == works[.unknown]?.first)
    }

    // MARK: How it is counted

    private static func callers(_ login: StartedLogin) -> [(String, HTTPFields)] {
        [
            ("without proof", [:]), ("with a wrong proof", [.codeVerifier: Harness.verifier]),
            ("with its cookie", login.bound), ("with another's cookie", .cookies("vst_op_x=" + login.ticket)),
        ]
    }

    /// The costs of a life for each of the four, each at a daemon of its own.
    private static func works(
        _ initiators: ClientPolicy.Initiators = .anyone,
        _ presented: Presented = .nothing,
        _ life: @Sendable (Harness, Whom, HTTPFields, _ book: (String) throws -> Void) async throws -> Void
    ) async throws -> [Whom: [StoreWork]] {
        var works: [Whom: [StoreWork]] = [:]
        for whom in Whom.allCases {
            let (folder, time, provider) = (try TestFolder(), VirtualTime(), ScriptedFaceProvider(name: .init("mock")))
            let (kept, ledger) = (Kept(), StoreLedger())
            // Who signs in here keeps a cookie that is good, and not for any of the four.
            try await Harness.run(storage: .sqlite, folder: folder, time: time, provider: provider) { harness in
                try await addPeople(harness)
                kept.put(try await KnownDeviceTests.signIn(harness, "dave@example.com"))
                // Closes that login, so that nothing of it is left to be counted.
                for _ in 0..<10 { await harness.pass(.seconds(20)) }
            }
            let headers = presented.headers(try #require(kept.claims))
            try await Harness.run(storage: .sqlite, folder: folder, time: time, seed: 2, provider: provider) {
                settings in
                settings.clients[0].initiators = initiators
                settings.metrics.enabled = true
            } _: { harness in
                try ledger.open(harness)
                try await life(harness, whom, headers) { try ledger.book($0, harness) }
            }
            works[whom] = ledger.works
        }
        return works
    }

    private static func addPeople(_ harness: Harness) async throws {
        let accounts = harness.composition.accounts
        _ = try await accounts.disable("bob@example.com")
        _ = try await accounts.add(NewAccount(email: "carol@example.com", name: "Carol"))
        let dave = NewAccount(
            email: "dave@example.com",
            name: "Dave",
            enroll: "mock",
            providerAccount: "enrolment of dave"
        )
        _ = try await accounts.add(dave)
    }

    private static func expectAlike(_ works: [Whom: [StoreWork]], sourceLocation: SourceLocation = #_sourceLocation) {
        let reference = works[.unknown] ?? []
        #expect(!reference.isEmpty, sourceLocation: sourceLocation)
        for (whom, costs) in works {
            #expect(costs.count == reference.count, sourceLocation: sourceLocation)
            for (cost, other) in zip(costs, reference) {
                #expect(cost == other, "\(whom), and an address that nobody has", sourceLocation: sourceLocation)
            }
        }
    }
}
