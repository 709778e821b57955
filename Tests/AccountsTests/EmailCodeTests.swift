import Crypto
import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Accounts

struct EmailCodeTests {
    @Test(arguments: EmailCodeStoreContract.allCases)
    func `the memory store keeps the contract`(_ promise: EmailCodeStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(
            over: storage.emailCodes,
            purge: MemoryExpiringRows.emailCodes.purge,
            storage.unitOfWork
        )
    }

    @Test func `a code is six digits in a mail, with a link whose page shows the same ones`() async throws {
        let harness = try await CodeHarness()
        let sent = try await harness.send()
        let mail = try #require(harness.mailer.sent.first)
        #expect(mail.to.text == "ada@example.com" && mail.requester.language == "en" && mail.service == "Example")
        #expect(sent.digits.expose().utf8.count == 6)
        #expect(sent.digits.expose().allSatisfy { $0.isNumber })
        for _ in 0..<3 {
            let shown = try #require(try await harness.service.digits(of: sent.token))
            #expect(shown.digits == sent.digits && shown.expiresIn == .seconds(600))
        }
        #expect(
            try await harness.redeem(sent.digits, of: .challenge(sent.id)).owner == CodeHarness.ada,
            "looking uses nothing up"
        )
    }

    @Test func `codes differ, begin with zeros as often as not, and are spread over the whole range`() async throws {
        let factory = EmailCodeFactory(key: .init(size: .bits256))
        let codes = (0..<2000).map { factory.digits(of: Secret("token \($0)")).expose() }
        #expect(codes.allSatisfy { $0.utf8.count == 6 })
        #expect(Set(codes).count > 1980)
        for digit in 0..<10 {
            let count = codes.count { $0.hasPrefix("\(digit)") }
            #expect((100...320).contains(count), "\(digit): \(count)")
        }
    }

    @Test func `a mailed code is accepted once, by its challenge or by address and device`() async throws {
        let harness = try await CodeHarness()
        let email = try #require(EmailAddress("ada@example.com"))
        let first = try await harness.send()
        #expect(try await harness.redeem(first.digits, of: .challenge(first.id)).owner == CodeHarness.ada)
        #expect(try await harness.redeem(first.digits, of: .challenge(first.id)) == .refused)
        #expect(try await harness.redeem(first.digits, of: .address(email)) == .refused)
        #expect(try await harness.service.digits(of: first.token) == nil, "its page is over too")
        let second = try await harness.send()
        #expect(try await harness.redeem(second.digits, of: .address(email)).owner == CodeHarness.ada)
    }

    // T-076
    @Test func `a mailed code is refused ten minutes after it was sent`() async throws {
        let harness = try await CodeHarness()
        let (early, late) = (try await harness.send(device: "a"), try await harness.send(device: "b"))
        harness.time.advance(by: .seconds(599))
        #expect(try await harness.redeem(early.digits, of: .challenge(early.id), device: "a").owner != nil)
        harness.time.advance(by: .seconds(1))
        #expect(try await harness.redeem(late.digits, of: .challenge(late.id), device: "b") == .refused)
        #expect(try await harness.service.digits(of: late.token) == nil)
    }

    @Test func `a device has one code at a time, and two devices have one each`() async throws {
        let harness = try await CodeHarness()
        let first = try await harness.send()
        let other = try await harness.send(device: "tablet")
        let second = try await harness.send()
        #expect(try await harness.redeem(first.digits, of: .challenge(first.id)) == .refused)
        #expect(try await harness.redeem(second.digits, of: .challenge(second.id)).owner == CodeHarness.ada)
        #expect(try await harness.redeem(other.digits, of: .challenge(other.id), device: "tablet").owner != nil)
    }

    // T-077, T-078
    @Test func `attack: a code from another device or client is refused, also right, and does not count as a try`()
        async throws
    {
        let harness = try await CodeHarness()
        let sent = try await harness.send()
        #expect(try await harness.redeem(sent.digits, of: .challenge(sent.id), device: "thief") == .refused)
        #expect(try await harness.redeem(sent.digits, of: .challenge(sent.id), client: "other") == .refused)
        #expect(try await harness.redeem(sent.wrong, of: .challenge(sent.id), device: "thief") == .refused)
        #expect(try await harness.wrongTries(of: sent.id) == 0)
        #expect(try await harness.redeem(sent.digits, of: .challenge(sent.id)).owner == CodeHarness.ada)
    }

    // T-076
    @Test func `attack: after five wrong tries a code's right digits are refused`() async throws {
        let harness = try await CodeHarness()
        let sent = try await harness.send()
        for _ in 0..<5 { #expect(try await harness.redeem(sent.wrong, of: .challenge(sent.id)) == .refused) }
        #expect(try await harness.redeem(sent.digits, of: .challenge(sent.id)) == .refused)
        #expect(try await harness.service.digits(of: sent.token) == nil)
        let next = try await CodeHarness()
        let other = try await next.send()
        for _ in 0..<4 { _ = try await next.redeem(other.wrong, of: .challenge(other.id)) }
        #expect(try await next.redeem(other.digits, of: .challenge(other.id)).owner != nil, "the fifth try is one")
    }

    // T-076
    @Test func `attack: of a hundred concurrent wrong tries five count`() async throws {
        let harness = try await CodeHarness()
        let sent = try await harness.send()
        let outcomes = try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await harness.redeem(sent.wrong, of: .challenge(sent.id)) } }
            return try await group.reduce(into: [] as [EmailCodeOutcome]) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == .refused })
        #expect(try await harness.wrongTries(of: sent.id) == 5)
        #expect(try await harness.redeem(sent.digits, of: .challenge(sent.id)) == .refused)
    }

    @Test func `attack: of a hundred concurrent right tries one signs in`() async throws {
        let harness = try await CodeHarness()
        let sent = try await harness.send()
        let proven = try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await harness.redeem(sent.digits, of: .challenge(sent.id)).owner } }
            return try await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
        }
        #expect(proven == 1)
    }
}
