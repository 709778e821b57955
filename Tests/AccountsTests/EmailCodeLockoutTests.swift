import Kernel
import MemoryStore
import Testing

@testable import Accounts

/// Wrong codes and wrong passwords are tries at one account, and are counted as one.
struct EmailCodeLockoutTests {
    // T-063, T-066
    @Test(arguments: ["ada@example.com", "bob@example.com", "nobody@example.com"])
    func `attack: wrong passwords and wrong codes count to one lockout, also for unknown addresses`(
        _ email: String
    ) async throws {
        let harness = try await CodeHarness()
        for _ in 1...3 { #expect(try await harness.tryPassword(email) == .wrong) }
        let sent = try await harness.send(to: email)
        for _ in 1...2 { #expect(try await harness.redeem(sent.wrong, of: .challenge(sent.id)) == .refused) }
        let outcome = try await harness.redeem(sent.digits, of: .challenge(sent.id))
        #expect(outcome == .tooMany(retryAfter: Lockout.firstDelay), "not even the right one")
        #expect(try await harness.tryPassword(email) == .lockedOut(Lockout.firstDelay))
        #expect(try await harness.wrongTries(of: sent.id) == 2, "a code that was not checked does not count as a try")
    }

    // T-065
    @Test func `attack: an outsider's lockout does not stop a linked device, whose code does not lift it`()
        async throws
    {
        let harness = try await CodeHarness()
        for _ in 1...5 { #expect(try await harness.tryPassword("ada@example.com") == .wrong) }
        let own = try await harness.send(device: "tablet", linked: CodeHarness.tablet)
        let outcome = try await harness.redeem(
            own.digits,
            of: .challenge(own.id),
            device: "tablet",
            linked: CodeHarness.tablet
        )
        #expect(outcome.owner == CodeHarness.ada)
        let outsider = try await harness.send()
        #expect(try await harness.redeem(outsider.digits, of: .challenge(outsider.id)).isTooMany)
    }

    @Test func `a right code forgets the wrong tries before it`() async throws {
        let harness = try await CodeHarness()
        for _ in 1...2 {
            for _ in 1...4 { #expect(try await harness.tryPassword("ada@example.com") == .wrong) }
            let sent = try await harness.send()
            #expect(try await harness.redeem(sent.digits, of: .challenge(sent.id)).owner == CodeHarness.ada)
        }
    }
}

extension CodeHarness {
    /// A password that is wrong, or of nobody.
    fileprivate func tryPassword(_ email: String) async throws -> PasswordOutcome {
        let service = PasswordService(
            unitOfWork: storage.unitOfWork,
            store: accounts,
            auditLog: RecordingAuditLog(),
            lockouts: lockouts,
            hasher: PasswordHasher(
                environment: time.environment(),
                parameters: ScryptParameters(rounds: 16, blockSize: 1, parallelism: 1)
            ),
            placeholder: factory.placeholderAccount(for:)
        )
        return try await service.verify(Secret("wrong password!"), of: try #require(EmailAddress(email))) { _, _ in nil
        }
    }
}
