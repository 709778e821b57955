import Kernel
import MemoryStore
import StoreContract
import Synchronization
import Testing

@testable import Operations

/// The page that asks before the scan, the number that is typed there, and "This wasn't me".
@Suite(.timeLimit(.minutes(1))) struct ConfirmTests {
    private static let policy = OperationSample.policy(landing: LandingPolicy(clientName: "Shop", step: .confirm))
    private static let origin = LoginOrigin(email: "r•••@example.com", address: "192.0.2.7", agent: "Chrome, Android")

    @Test func `the page tells what, for whom, from where and when, and looking at it changes nothing`() async throws {
        let harness = Harness()
        let login = try await harness.begin(.sameDevice, policy: Self.policy)
        await harness.pass(.seconds(75))
        let before = (harness.disk.tally, try harness.stored(login))
        let view = ConfirmView(clientName: "Shop", origin: Self.origin, age: .seconds(75), asksNumber: false)
        for _ in 0..<5 { #expect(harness.service.landing(ticket: login.ticket, browserCookie: nil) == .confirm(view)) }
        #expect(harness.disk.tally == before.0)
        #expect(try harness.stored(login) == before.1)
        #expect(harness.provider.calls.isEmpty)
        try await harness.open(login)
        #expect(harness.provider.beginCount == 1)
    }

    @Test func `a client without a page that asks goes on, and nothing about its caller is kept`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        #expect(harness.service.landing(ticket: login.ticket, browserCookie: nil) == .proceed)
        #expect(try harness.stored(login).binding == OperationBinding())
        #expect(harness.service.landing(ticket: "no ticket", browserCookie: nil) == .over)
        await harness.pass(.seconds(180))
        #expect(harness.service.landing(ticket: login.ticket, browserCookie: nil) == .over)
    }

    @Test func `the address that was typed is gone once the login has ended, where it came from is not`() async throws {
        let harness = Harness()
        let login = try await harness.begin(.crossDevice)
        #expect(try harness.stored(login).binding.origin == Self.origin)
        _ = try await harness.service.cancel(login.publicID, login.rightful)
        let left = LoginOrigin(email: "", address: Self.origin.address, agent: Self.origin.agent)
        #expect(try harness.stored(login).binding == OperationBinding(mode: .crossDevice, origin: left))
    }

    @Test func `only the number that the app shows opens a cross-device login`() async throws {
        let harness = Harness()
        let login = try await harness.begin(.crossDevice)
        let number = try #require(login.begun.operation.binding.number)
        for typed in [nil, "", "7", "123", "ab", "٠٧", "0x", "-1", " 1 2 3"] {
            #expect(try await harness.type(typed, login).fault == .missing, "\(typed ?? "nothing")")
        }
        #expect(try harness.stored(login).binding.wrongNumbers == 0, "what is no number is no try")
        #expect(try await harness.type(login.wrong, login).fault == .wrong(triesLeft: 2))
        #expect(try await harness.type(login.wrong, login).fault == .wrong(triesLeft: 1))
        #expect(harness.provider.calls.isEmpty)
        guard case .toProvider = try await harness.type(" \(number.text) ", login) else {
            throw UnexpectedResultError(what: "not opened")
        }
        #expect(try await harness.poll(login).hint == .userInProvider)
    }

    // T-019
    @Test func `attack: after three wrong pairing numbers the login is over, and the right number opens nothing`()
        async throws
    {
        let harness = Harness()
        let login = try await harness.begin(.crossDevice)
        for _ in 1...2 { _ = try await harness.type(login.wrong, login) }
        #expect(try await harness.type(login.wrong, login) == .tooManyWrongNumbers)
        #expect(try await harness.poll(login).failure == .tooManyAttempts)
        #expect(try await harness.type(login.begun.operation.binding.number?.text, login) == .over)
        #expect(harness.provider.calls.isEmpty)
        #expect(harness.service.refusals.totals[.wrongNumber] == 3)
    }

    // T-019
    @Test func `attack: concurrent guesses of the pairing number are counted one at a time`() async throws {
        let gate = Gate()
        let (isHolding, isHeld) = (Flag(), Flag())
        let harness = Harness(
            disk: MemoryDisk(people: [Harness.person]) { step in
                if step == .unit, isHolding.value {
                    isHeld.value = true
                    await gate.pass()
                }
                return nil
            }
        )
        let login = try await harness.begin(.crossDevice)
        isHolding.value = true
        async let first = harness.type(login.wrong, login)
        await until { isHeld.value }
        for _ in 0..<100 {
            #expect(try await harness.type(login.begun.operation.binding.number?.text, login) == .starting)
        }
        await gate.open()
        let outcome = try await first
        #expect(outcome.fault == .wrong(triesLeft: 2))
        #expect(harness.provider.calls.isEmpty)
    }

    // T-019
    @Test(arguments: [InjectedFault.beforeCommit, .afterCommit])
    func `attack: while the store is down, right and wrong pairing numbers get the same error`(
        _ fault: InjectedFault
    )
        async throws
    {
        let isDown = Flag()
        let harness = Harness(
            disk: MemoryDisk(people: [Harness.person]) { step in step == .unit && isDown.value ? fault : nil }
        )
        let login = try await harness.begin(.crossDevice)
        // The scan is in progress in one browser; the number would start it over in another.
        _ = try await harness.type(login.begun.operation.binding.number?.text, login, browser: "one")
        let before = (harness.provider.calls, harness.disk.tally.reads)
        isDown.value = true
        let right = try #require(login.begun.operation.binding.number)
        for guess in [PairingNumber((right.value + 1) % 100), right].compactMap({ $0?.text }) {
            await #expect(throws: StoreError.self) {
                _ = try await harness.type(guess, login, browser: "two")
            }
            #expect(harness.provider.calls == before.0, "\(guess): no scan is begun on a guess that can't be counted")
            #expect(harness.disk.tally.reads == before.1, "\(guess): neither costs more than the other")
            #expect(harness.service.refusals.totals[.wrongNumber] == nil)
        }
        isDown.value = false
        let counted = fault == .afterCommit ? 1 : 0
        #expect(try harness.stored(login).binding.wrongNumbers == counted)
        let next = try await harness.type(login.wrong, login, browser: "two")
        #expect(next.fault == .wrong(triesLeft: 2 - counted))
    }

    // T-019
    @Test func `attack: a decoy counts wrong pairing numbers as a real login does, with the same answers`() async throws
    {
        let harness = Harness()
        let logins = [
            try await harness.begin(.crossDevice), try await harness.begin(.crossDevice, email: "nobody@example.com"),
        ]
        #expect(logins.allSatisfy { $0.begun.operation.binding.number != nil })
        let page = harness.service.landing(ticket: logins[0].ticket, browserCookie: nil)
        #expect(harness.service.landing(ticket: logins[1].ticket, browserCookie: nil) == page)
        for round in 1...3 {
            let outcomes = [
                try await harness.type(logins[0].wrong, logins[0]), try await harness.type(logins[1].wrong, logins[1]),
            ]
            #expect(outcomes[0] == outcomes[1])
            let views = [try await harness.poll(logins[0]), try await harness.poll(logins[1])]
            #expect(views[0] == views[1], "round \(round)")
            #expect(
                harness.service.landing(ticket: logins[0].ticket, browserCookie: nil)
                    == harness.service.landing(ticket: logins[1].ticket, browserCookie: nil)
            )
        }
        let outsiders = [
            try await harness.poll(logins[0], Login.bare()), try await harness.poll(logins[1], Login.bare()),
        ]
        #expect(outsiders[0] == outsiders[1])
        #expect(outsiders[0].hint == .created, "a caller with the id alone notices no number")
    }

    @Test func `the right number at a decoy leads to the page of a refused device and to no provider`() async throws {
        let harness = Harness()
        let decoy = try await harness.begin(.crossDevice, email: "nobody@example.com")
        #expect(try await harness.type(decoy.begun.operation.binding.number?.text, decoy) == .notOnThisDevice)
        #expect(harness.provider.calls.isEmpty)
    }

    @Test func `another browser has to know the number too, the same one is not asked again`() async throws {
        let harness = Harness()
        let login = try await harness.begin(.crossDevice)
        let number = login.begun.operation.binding.number?.text
        let first = try await harness.type(number, login, browser: "one")
        #expect(try await harness.type(nil, login, browser: "one") == first)
        guard case .progress = harness.service.landing(ticket: login.ticket, browserCookie: Secret("one")),
            case .confirm(let other) = harness.service.landing(ticket: login.ticket, browserCookie: Secret("two"))
        else { throw UnexpectedResultError(what: "no page that asks") }
        #expect(other.asksNumber)
        #expect(try await harness.type(nil, login, browser: "two").fault == .missing)
        #expect(harness.provider.beginCount == 1)
        for browser in ["two", "three", "four"] { _ = try await harness.type(number, login, browser: browser) }
        #expect(harness.provider.beginCount == 4)
        #expect(try await harness.type(number, login, browser: "five") == .tooManyRestarts)
        let abandoned = ProviderReference("scan-1")
        try await harness.service.observe(.approved, of: abandoned, for: try harness.stored(login))
        #expect(try harness.state(of: login).name == .pending)
        #expect(harness.environment(of: login).contains(.lateVerdict))
    }

    @Test func `the count of wrong numbers outlives a restart`() async throws {
        let harness = Harness()
        let login = try await harness.begin(.crossDevice)
        for _ in 1...2 { _ = try await harness.type(login.wrong, login) }
        let next = try await harness.restarted()
        #expect(try await next.type(login.wrong, login) == .tooManyWrongNumbers)
    }

    @Test func `an approval after the third wrong number is audited as late and grants nothing`() async throws {
        let harness = Harness()
        let login = try await harness.begin(.crossDevice)
        _ = try await harness.type(login.begun.operation.binding.number?.text, login, browser: "one")
        let pending = try harness.stored(login)
        for _ in 1...3 { _ = try await harness.type(login.wrong, login, browser: "two") }
        try await harness.service.observe(.approved, of: ProviderReference("scan-1"), for: pending)
        #expect(try harness.state(of: login).name == .failed)
        #expect(harness.environment(of: login).last == .lateVerdict)
        #expect(harness.sessionCount == 0)
    }

    @Test(arguments: 0...3)
    func `"this wasn't me" ends a login in every state before its collection`(stage: Int) async throws {
        let harness = Harness()
        let login = stage == 3 ? try await harness.approved() : try await harness.begin()
        if stage == 1 { harness.provider.fail(with: .unavailable(cause: "down")) }
        if stage == 1 || stage == 2 { _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil) }
        #expect(try await harness.service.deny(ticket: login.ticket))
        #expect(try await harness.poll(login).failure == .deniedNotMe)
        #expect(harness.service.landing(ticket: login.ticket, browserCookie: nil) == .over)
        #expect(try await !harness.service.deny(ticket: login.ticket), "once is enough")
        #expect(harness.environment(of: login).last == .failed)
        await harness.pass(.seconds(400))
        #expect(harness.sessionCount == 0)
    }

    @Test func `"this wasn't me" ends a decoy too, and does not take collected tokens back`() async throws {
        let harness = Harness()
        let decoy = try await harness.begin(email: "nobody@example.com")
        #expect(try await harness.service.deny(ticket: decoy.ticket))
        #expect(try await harness.poll(decoy).failure == .deniedNotMe)
        let login = try await harness.approved()
        #expect(try await harness.poll(login).grant != nil)
        #expect(try await !harness.service.deny(ticket: login.ticket))
        #expect(try await harness.poll(login).grant != nil)
        #expect(try await !harness.service.deny(ticket: "no ticket"))
    }

    @Test func `every number comes up about as often as every other`() {
        var counts = [Int](repeating: 0, count: 100)
        let environment = VirtualTime().environment()
        for _ in 0..<10_000 { counts[PairingNumber(environment).value] += 1 }
        #expect(counts.allSatisfy { (50...160).contains($0) }, "\(counts)")
    }
}

extension Harness {
    fileprivate func begin(
        _ mode: LoginMode,
        email: String = Harness.person.email,
        policy: ClientPolicy = OperationSample.policy()
    ) async throws -> Login {
        let order = BeginOperation(
            email: email,
            policy: policy,
            codeChallenge: Digest256(sha256: "verifier"),
            deviceProof: DeviceProof(cookies: []),
            binding: OperationBinding(
                mode: mode,
                origin: LoginOrigin(email: "r•••@example.com", address: "192.0.2.7", agent: "Chrome, Android")
            )
        )
        return Login(begun: try await service.begin(order), codeVerifier: "verifier")
    }

    /// A browser sends the page's form with that in the field.
    fileprivate func type(_ number: String?, _ login: Login, browser: String = "browser") async throws -> OpenOutcome {
        try await service.open(ticket: login.ticket, browserCookie: Secret(browser), number: number)
    }
}

extension Login {
    /// Another number than the app's.
    fileprivate var wrong: String? {
        begun.operation.binding.number.flatMap { PairingNumber(($0.value + 1) % 100) }?.text
    }
}

extension OpenOutcome {
    fileprivate var fault: NumberError? {
        if case .ask(_, let fault) = self { fault } else { nil }
    }
}

/// A flag that a test sets while others look at it.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var value: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
