import Kernel
import Testing

@testable import Accounts

struct LockoutTests {
    private let store = MemoryLockouts()
    private let clock = StoppedClock()
    private let work = ImmediateUnitOfWork()
    private let lockouts: Lockouts
    private static let account = AccountID(UUIDBits(high: 0xA, low: 1))
    private static let device = DeviceID(UUIDBits(high: 0xD, low: 1))

    init() { lockouts = Lockouts(environment: clock.environment, store: store) }

    // T-063, T-065
    @Test func `after five free tries the delays double from 30 s to 900 s`() async throws {
        for _ in 1...4 { #expect(try await wait(.unlinked(Self.account)) == nil) }
        var delays: [Duration] = []
        for _ in 1...8 {
            #expect(try await wait(.unlinked(Self.account)) == nil, "the try that is free")
            let delay = try #require(try await wait(.unlinked(Self.account)))
            delays.append(delay)
            clock.move(by: delay - .milliseconds(1))
            #expect(try await wait(.unlinked(Self.account)) == .milliseconds(1))
            clock.move(by: .milliseconds(1))
        }
        #expect(delays.map(\.components.seconds) == [30, 60, 120, 240, 480, 900, 900, 900])
    }

    // T-065
    @Test func `attack: tries during a lockout do not prolong it`() async throws {
        for _ in 1...5 { _ = try await wait(.unlinked(Self.account)) }
        for _ in 1...100 { #expect(try await wait(.unlinked(Self.account)) == .seconds(30)) }
        clock.move(by: .seconds(30))
        #expect(try await wait(.unlinked(Self.account)) == nil)
    }

    // T-063
    @Test func `attack: waiting as long as the lockout says allows at most 110 tries a day`() async throws {
        // Goes on for a day, and waits no longer than he has to.
        var tries = 0
        let end = StoppedClock.instant + .seconds(24 * 3600)
        while clock.environment.now() < end {
            if let delay = try await wait(.unlinked(Self.account)) { clock.move(by: delay) } else { tries += 1 }
        }
        // Pauses before each delay, until all is forgotten.
        let pausing = (Lockout.freeTries - 1) * Int(24 * 3600 / Lockout.memory.components.seconds)
        #expect(tries <= 110 && pausing <= tries)
    }

    // T-258
    @Test func `a successful sign-in, or an hour without a try, clears the lockout`() async throws {
        for _ in 1...5 { _ = try await wait(.unlinked(Self.account)) }
        try await work.run { [lockouts] in try lockouts.succeeded(.unlinked(Self.account), in: $0) }
        #expect(store.all.isEmpty)
        for _ in 1...5 { #expect(try await wait(.unlinked(Self.account)) == nil) }
        clock.move(by: Lockout.memory)
        #expect(try await wait(.unlinked(Self.account)) == nil)
        #expect(store.all.map(\.tries) == [1])
    }

    // T-065
    @Test func `attack: an outsider's wrong tries do not lock a linked device, whose own five do`() async throws {
        let own = LockoutSubject(Self.account, linked: Self.device)
        for _ in 1...50 { _ = try await wait(LockoutSubject(Self.account, linked: nil)) }
        #expect(try await wait(LockoutSubject(Self.account, linked: nil)) != nil)
        #expect(try await wait(own) == nil)
        #expect(try await wait(.linked(Self.account, DeviceID(UUIDBits(high: 0xD, low: 2)))) == nil)
        for _ in 1...4 { _ = try await wait(own) }
        #expect(try await wait(own) != nil, "a device that was stolen is bounded as well")
    }

    @Test func `each account and device is counted by itself`() throws {
        let other = AccountID(UUIDBits(high: 0xA, low: 2))
        let subjects: [LockoutSubject] = [
            .unlinked(Self.account), .unlinked(other), .linked(Self.account, Self.device), .linked(other, Self.device),
            .addressCode(Self.account), .addressCode(other),
        ]
        #expect(Set(subjects.map(\.key)).count == subjects.count)
    }

    @Test func `after the clock was set back a lockout lasts no longer than an hour`() async throws {
        for _ in 1...9 {
            _ = try await wait(.unlinked(Self.account))
            clock.move(by: .seconds(901))
        }
        clock.move(by: .seconds(-365 * 24 * 3600))
        #expect(try await wait(.unlinked(Self.account)) == nil)
    }

    /// How long the subject has to wait; `nil` where a try was free, and counted.
    private func wait(_ subject: LockoutSubject) async throws -> Duration? {
        do {
            try await work.run { [lockouts] in try lockouts.attempt(subject, in: $0) }
            return nil
        } catch let lockedOut as LockedOutError {
            return lockedOut.wait
        }
    }
}
