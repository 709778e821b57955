import Kernel
import MemoryStore
import Testing

@testable import Accounts

/// Wrong codes and wrong passwords are tries at one account, and are counted as one.
struct EmailCodeLockoutTests {
    @Test(arguments: ["ada@example.com", "bob@example.com", "nobody@example.com"])
    func `attack: wrong passwords and wrong codes lock an address together, whosever it is`(
        _ email: String
    ) async throws {
        let bench = try await CodeBench()
        for _ in 1...3 { #expect(try await bench.tryPassword(email) == .wrong) }
        let sent = try await bench.send(to: email)
        for _ in 1...2 { #expect(try await bench.redeem(sent.wrong, of: .challenge(sent.id)) == .refused) }
        let outcome = try await bench.redeem(sent.digits, of: .challenge(sent.id))
        #expect(outcome == .tooMany(retryAfter: Lockout.firstDelay), "not even the right one")
        #expect(try await bench.tryPassword(email) == .lockedOut(Lockout.firstDelay))
        #expect(try await bench.wrongTries(of: sent.id) == 2, "a code that was not checked does not count as a try")
    }

    @Test func `attack: outsiders' tries lock nobody out on a linked device, nor do its own count for them`()
        async throws
    {
        let bench = try await CodeBench()
        for _ in 1...5 { #expect(try await bench.tryPassword("ada@example.com") == .wrong) }
        let own = try await bench.send(device: "tablet", linked: CodeBench.tablet)
        let outcome = try await bench.redeem(
            own.digits,
            of: .challenge(own.id),
            device: "tablet",
            linked: CodeBench.tablet
        )
        #expect(outcome.owner == CodeBench.ada)
        let stranger = try await bench.send()
        #expect(try await bench.redeem(stranger.digits, of: .challenge(stranger.id)).isTooMany)
    }

    @Test func `a right code forgets the wrong tries before it`() async throws {
        let bench = try await CodeBench()
        for _ in 1...2 {
            for _ in 1...4 { #expect(try await bench.tryPassword("ada@example.com") == .wrong) }
            let sent = try await bench.send()
            #expect(try await bench.redeem(sent.digits, of: .challenge(sent.id)).owner == CodeBench.ada)
        }
    }
}

extension CodeBench {
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
            placeholder: mint.placeholderAccount(for:)
        )
        return try await service.verify(Secret("wrong password!"), of: try #require(EmailAddress(email))) { _, _ in nil
        }
    }
}
