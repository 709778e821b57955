import Kernel
import MemoryStore
import Testing

@testable import Accounts

struct EmailCodeLimitTests {
    // T-251
    @Test
    func `attack: the sixth mailed code in an hour to unlinked devices is refused until the hour is over`()
        async throws
    {
        let harness = try await CodeHarness()
        for number in 0..<5 {
            _ = try await harness.send(device: "phone \(number)")
            harness.time.advance(by: .seconds(60))
        }
        let sent = harness.mailer.sent.count
        await #expect(throws: EmailCodeError.tooMany(retryAfter: .seconds(3300))) {
            try await harness.send(device: "another")
        }
        #expect(harness.mailer.sent.count == sent)
        harness.time.advance(by: .seconds(3300))
        _ = try await harness.send()
        await #expect(throws: EmailCodeError.tooMany(retryAfter: .seconds(60))) { try await harness.send() }
    }

    // T-077
    @Test func `a linked device has its own five`() async throws {
        let harness = try await CodeHarness()
        for _ in 0..<5 { _ = try await harness.send() }
        for _ in 0..<5 { _ = try await harness.send(device: "tablet", linked: CodeHarness.tablet) }
        await #expect(throws: EmailCodeError.self) {
            try await harness.send(device: "tablet", linked: CodeHarness.tablet)
        }
        harness.time.advance(by: .seconds(3600))
        for _ in 0..<5 { _ = try await harness.send(device: "tablet", linked: CodeHarness.tablet) }
        _ = try await harness.send()
    }

    // T-076
    @Test func `attack: after twenty wrong codes in a day only linked devices are sent and accepted`()
        async throws
    {
        let harness = try await CodeHarness()
        try await harness.mistype(20)
        harness.time.advance(by: .seconds(3600))
        await #expect(throws: EmailCodeError.self) { try await harness.send() }
        let owner = try await harness.send(device: "tablet", linked: CodeHarness.tablet)
        let outcome = try await harness.redeem(
            owner.digits,
            of: .challenge(owner.id),
            device: "tablet",
            linked: CodeHarness.tablet
        )
        #expect(outcome.owner == CodeHarness.ada)
        harness.time.advance(by: EmailCodePolicy.tryWindow)
        let next = try await harness.send()
        #expect(try await harness.redeem(next.digits, of: .challenge(next.id)).owner == CodeHarness.ada)
    }

    // T-076
    @Test func `attack: a pending code is refused once twenty wrong tries of the day are reached`()
        async throws
    {
        let harness = try await CodeHarness()
        try await harness.mistype(19)
        harness.time.advance(by: .seconds(890))
        let kept = try await harness.send(device: "kept")
        harness.time.advance(by: .seconds(10))
        let last = try await harness.send()
        #expect(try await harness.redeem(last.wrong, of: .challenge(last.id)) == .refused)
        for digits in [kept.digits, kept.wrong] {
            let outcome = try await harness.redeem(digits, of: .challenge(kept.id), device: "kept")
            guard case .tooMany(let wait) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(wait > Lockout.longestDelay, "the day's tries are used up, whatever the lockout says")
        }
        #expect(try await harness.wrongTries(of: kept.id) == 0)
    }

    // T-077
    @Test func `attack: an unlinked device's tries do not count against a linked device's code`() async throws {
        let harness = try await CodeHarness()
        let sent = try await harness.send(device: "tablet", linked: CodeHarness.tablet)
        for _ in 0..<9 {
            #expect(try await harness.redeem(sent.wrong, of: .challenge(sent.id), device: "tablet") == .refused)
        }
        #expect(try await harness.wrongTries(of: sent.id) == 0)
        #expect(
            try await harness.redeem(
                sent.digits,
                of: .challenge(sent.id),
                device: "tablet",
                linked: CodeHarness.tablet
            ).owner == CodeHarness.ada
        )
    }

    // T-079
    @Test(arguments: ["nobody@example.com", "bob@example.com"])
    func `attack: an unknown or disabled address is answered like a known one, and no mail is sent`(
        _ email: String
    )
        async throws
    {
        let harness = try await CodeHarness()
        let sent = try await harness.send(to: email)
        #expect(harness.mailer.sent.isEmpty)
        #expect(harness.mailer.rehearsed.map(\.to.text) == [email], "the mail is written all the same")
        for _ in 0..<5 { #expect(try await harness.redeem(sent.wrong, of: .challenge(sent.id)) == .refused) }
        #expect(try await harness.wrongTries(of: sent.id) == 5)
        for _ in 0..<4 { _ = try await harness.send(to: email) }
        await #expect(throws: EmailCodeError.tooMany(retryAfter: .seconds(3600))) {
            try await harness.send(to: email)
        }
        let other = try await harness.send(to: "somebody-else@example.com")
        #expect(try await harness.wrongTries(of: other.id) == 0, "each address is counted by itself")
    }

    // T-079
    @Test(arguments: [MailError.queueFull, .unmailableAddress])
    func `attack: a refused mail gets the same error for every address and leaves no code`(
        _ refusal: MailError
    )
        async throws
    {
        let harness = try await CodeHarness()
        harness.mailer.refuse(refusal)
        for email in ["ada@example.com", "nobody@example.com"] {
            for _ in 0..<9 { await #expect(throws: refusal) { try await harness.send(to: email) } }
        }
        harness.mailer.refuse(nil)
        _ = try await harness.send()
    }
}

extension CodeHarness {
    /// Types wrong digits, one a quarter of an hour, as the lockout lets them.
    func mistype(_ count: Int) async throws {
        for _ in 0..<count {
            time.advance(by: Lockout.longestDelay)
            let sent = try await send()
            #expect(try await redeem(sent.wrong, of: .challenge(sent.id)) == .refused)
        }
    }
}
