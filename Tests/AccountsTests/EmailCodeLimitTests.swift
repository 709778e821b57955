import Kernel
import MemoryStore
import Testing

@testable import Accounts

struct EmailCodeLimitTests {
    @Test
    func `attack: in an hour there are five codes for all devices that are not linked, and the sixth has to wait`()
        async throws
    {
        let bench = try await CodeBench()
        for number in 0..<5 {
            _ = try await bench.send(device: "phone \(number)")
            bench.time.advance(by: .seconds(60))
        }
        let sent = bench.mailer.sent.count
        await #expect(throws: EmailCodeError.tooMany(retryAfter: .seconds(3300))) {
            try await bench.send(device: "another")
        }
        #expect(bench.mailer.sent.count == sent)
        bench.time.advance(by: .seconds(3300))
        _ = try await bench.send()
        await #expect(throws: EmailCodeError.tooMany(retryAfter: .seconds(60))) { try await bench.send() }
    }

    @Test func `a linked device has its own five`() async throws {
        let bench = try await CodeBench()
        for _ in 0..<5 { _ = try await bench.send() }
        for _ in 0..<5 { _ = try await bench.send(device: "tablet", linked: CodeBench.tablet) }
        await #expect(throws: EmailCodeError.self) {
            try await bench.send(device: "tablet", linked: CodeBench.tablet)
        }
        bench.time.advance(by: .seconds(3600))
        for _ in 0..<5 { _ = try await bench.send(device: "tablet", linked: CodeBench.tablet) }
        _ = try await bench.send()
    }

    @Test func `attack: after twenty wrong tries in a day no code is sent or taken, but on linked devices`()
        async throws
    {
        let bench = try await CodeBench()
        try await bench.mistype(20)
        bench.time.advance(by: .seconds(3600))
        await #expect(throws: EmailCodeError.self) { try await bench.send() }
        let owner = try await bench.send(device: "tablet", linked: CodeBench.tablet)
        let outcome = try await bench.redeem(
            owner.digits,
            of: .challenge(owner.id),
            device: "tablet",
            linked: CodeBench.tablet
        )
        #expect(outcome.owner == CodeBench.ada)
        bench.time.advance(by: EmailCodePolicy.tryWindow)
        let next = try await bench.send()
        #expect(try await bench.redeem(next.digits, of: .challenge(next.id)).owner == CodeBench.ada)
    }

    @Test func `attack: a code that was asked for before the twentieth wrong try takes no right digits after it`()
        async throws
    {
        let bench = try await CodeBench()
        try await bench.mistype(19)
        bench.time.advance(by: .seconds(890))
        let kept = try await bench.send(device: "kept")
        bench.time.advance(by: .seconds(10))
        let last = try await bench.send()
        #expect(try await bench.redeem(last.wrong, of: .challenge(last.id)) == .refused)
        for digits in [kept.digits, kept.wrong] {
            let outcome = try await bench.redeem(digits, of: .challenge(kept.id), device: "kept")
            guard case .tooMany(let wait) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(wait > Lockout.longestDelay, "the day's tries are used up, whatever the lockout says")
        }
        #expect(try await bench.wrongTries(of: kept.id) == 0)
    }

    @Test func `attack: nobody else uses up the tries of a code that a linked device asked for`() async throws {
        let bench = try await CodeBench()
        let sent = try await bench.send(device: "tablet", linked: CodeBench.tablet)
        for _ in 0..<9 {
            #expect(try await bench.redeem(sent.wrong, of: .challenge(sent.id), device: "tablet") == .refused)
        }
        #expect(try await bench.wrongTries(of: sent.id) == 0)
        #expect(
            try await bench.redeem(
                sent.digits,
                of: .challenge(sent.id),
                device: "tablet",
                linked: CodeBench.tablet
            ).owner == CodeBench.ada
        )
    }

    @Test(arguments: ["nobody@example.com", "bob@example.com"])
    func `attack: an address that nobody has, or whose account is disabled, gets all but the mail`(
        _ email: String
    )
        async throws
    {
        let bench = try await CodeBench()
        let sent = try await bench.send(to: email)
        #expect(bench.mailer.sent.isEmpty)
        #expect(bench.mailer.rehearsed.map(\.to.text) == [email], "the mail is written all the same")
        for _ in 0..<5 { #expect(try await bench.redeem(sent.wrong, of: .challenge(sent.id)) == .refused) }
        #expect(try await bench.wrongTries(of: sent.id) == 5)
        for _ in 0..<4 { _ = try await bench.send(to: email) }
        await #expect(throws: EmailCodeError.tooMany(retryAfter: .seconds(3600))) {
            try await bench.send(to: email)
        }
        let other = try await bench.send(to: "somebody-else@example.com")
        #expect(try await bench.wrongTries(of: other.id) == 0, "each address is counted by itself")
    }

    @Test(arguments: [MailError.queueFull, .unmailableAddress])
    func `attack: a mail that is refused is refused for every address, and leaves no code`(
        _ refusal: MailError
    )
        async throws
    {
        let bench = try await CodeBench()
        bench.mailer.refuse(refusal)
        for email in ["ada@example.com", "nobody@example.com"] {
            for _ in 0..<9 { await #expect(throws: refusal) { try await bench.send(to: email) } }
        }
        bench.mailer.refuse(nil)
        _ = try await bench.send()
    }
}

extension CodeBench {
    /// Types wrong digits, one a quarter of an hour, as the lockout lets them.
    func mistype(_ count: Int) async throws {
        for _ in 0..<count {
            time.advance(by: Lockout.longestDelay)
            let sent = try await send()
            #expect(try await redeem(sent.wrong, of: .challenge(sent.id)) == .refused)
        }
    }
}
