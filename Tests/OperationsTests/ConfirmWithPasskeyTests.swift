import Kernel
import MemoryStore
import Operations
import StoreContract
import Synchronization
import Testing

/// A passkey instead of the press: which pages need one, and what they say without it.
@Suite(.timeLimit(.minutes(1))) struct ConfirmWithPasskeyTests {
    private static let policy = OperationSample.policy(
        landing: LandingPolicy(clientName: "Shop", step: .confirm, confirmation: .passkeyIfAny)
    )

    /// These accounts have one.
    private struct Passkeys: ConfirmingPasskeys {
        let owners: Set<AccountID>

        func isAsked(of account: AccountID) async throws -> Bool { owners.contains(account) }
    }

    private static func harness(owners: Set<AccountID> = [OperationSample.account]) -> Harness {
        Harness(passkeys: Passkeys(owners: owners))
    }

    private static let passkey = PasskeyID(UUIDBits(high: 0xB, low: 1))

    private static func confirmation(
        of account: AccountID = OperationSample.account,
        use: @escaping @Sendable (borrowing Transaction) throws -> Void = { _ in }
    ) -> PasskeyConfirmation {
        PasskeyConfirmation(account: account, passkey: passkey, use: use)
    }

    // T-024
    @Test func `a confirmation by passkey is audited before the scan begins, and a press does not replace it`()
        async throws
    {
        let harness = Self.harness()
        let login = try await harness.begin(policy: Self.policy)
        #expect(try await harness.service.open(ticket: login.ticket, browserCookie: nil) == .passkeyNeeded)
        #expect(harness.provider.calls.isEmpty)
        let outcome = try await harness.service.open(
            ticket: login.ticket,
            browserCookie: Secret("one"),
            confirmation: Self.confirmation()
        )
        guard case .toProvider = outcome else { throw UnexpectedResultError(what: "\(outcome)") }
        #expect(harness.environment(of: login) == [.confirmed, .opened, .scanStarted])
        let row = harness.audited(.confirmed).first
        #expect(row?.detail == Self.passkey.description && row?.account == OperationSample.account)
        #expect(try await harness.service.open(ticket: login.ticket, browserCookie: Secret("one")) == outcome)
        #expect(try await harness.service.open(ticket: login.ticket, browserCookie: Secret("two")) == .passkeyNeeded)
        #expect(harness.service.refusals.totals == [.openWithoutPasskey: 2])
    }

    /// Nobody has one; and while that is looked up, something else happens.
    private final class SlowPasskeys: ConfirmingPasskeys {
        private let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

        func onNextLook(_ act: @escaping @Sendable () async throws -> Void) { meanwhile.withLock { $0 = act } }

        func isAsked(of account: AccountID) async throws -> Bool {
            let act = meanwhile.withLock { kept in
                let act = kept
                kept = nil
                return act
            }
            try await act?()
            return false
        }
    }

    @Test func `attack: a login cancelled during its passkey check begins no second scan`() async throws {
        let passkeys = SlowPasskeys()
        let harness = Harness(passkeys: passkeys)
        let login = try await harness.begin(policy: Self.policy)
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: Secret("one"))
        #expect(harness.provider.beginCount == 1)
        passkeys.onNextLook { [service = harness.service] in
            _ = try await service.cancel(login.publicID, login.rightful)
        }
        #expect(try await harness.service.open(ticket: login.ticket, browserCookie: Secret("two")) == .over)
        #expect(harness.provider.beginCount == 1)
    }

    @Test func `an account without any, and a server without any, takes the press`() async throws {
        for harness in [Self.harness(owners: []), Harness()] {
            let login = try await harness.begin(policy: Self.policy)
            _ = try await harness.open(login)
            #expect(harness.provider.beginCount == 1)
        }
        let harness = Harness()
        let login = try await harness.begin(policy: Self.policy)
        guard case .confirm(let view) = harness.service.landing(ticket: login.ticket, browserCookie: nil) else {
            throw UnexpectedResultError(what: "no page that asks")
        }
        #expect(!view.asksPasskey, "there are none to ask for")
    }

    @Test func `a page that asks nothing asks for no passkey`() async throws {
        let harness = Self.harness()
        let going = OperationSample.policy(landing: LandingPolicy(step: .redirect, confirmation: .passkeyIfAny))
        let login = try await harness.begin(policy: going)
        #expect(harness.service.landing(ticket: login.ticket, browserCookie: nil) == .proceed)
        _ = try await harness.open(login)
    }

    // T-027
    @Test func `attack: a decoy's page and answers with passkeys are the same as an account's, at the same cost`()
        async throws
    {
        let harness = Self.harness()
        let real = try await harness.begin(policy: Self.policy)
        let decoy = try await harness.begin(email: "nobody@example.com", policy: Self.policy)
        #expect(decoy.begun.operation.isDecoy && !real.begun.operation.isDecoy)
        let pages = [real, decoy].map { harness.service.landing(ticket: $0.ticket, browserCookie: nil) }
        #expect(pages[0] == pages[1])
        let outsider = AccountID(UUIDBits(high: 0xC, low: 7))
        for confirmation in [nil, Self.confirmation(of: outsider)] {
            var outcomes: [OpenOutcome] = []
            var costs: [Int] = []
            for login in [real, decoy] {
                let before = harness.disk.tally
                outcomes.append(
                    try await harness.service.open(ticket: login.ticket, browserCookie: nil, confirmation: confirmation)
                )
                let spent = harness.disk.tally - before
                costs.append(spent.units + spent.reads)
            }
            #expect(outcomes[0] == outcomes[1])
            #expect(outcomes[0] == (confirmation == nil ? .passkeyNeeded : .otherPasskey))
            #expect(costs[0] == costs[1])
        }
        #expect(harness.provider.calls.isEmpty)
    }

    // T-024
    @Test func `attack: another account's passkey is not used up and begins no scan`() async throws {
        let harness = Self.harness()
        let login = try await harness.begin(policy: Self.policy)
        let other = Self.confirmation(of: AccountID(UUIDBits(high: 0xC, low: 7))) { _ in
            throw UnexpectedResultError(what: "it was used")
        }
        #expect(
            try await harness.service.open(ticket: login.ticket, browserCookie: nil, confirmation: other)
                == .otherPasskey
        )
        #expect(harness.provider.calls.isEmpty && harness.environment(of: login).isEmpty)
        #expect(harness.service.refusals.totals == [.openOtherPasskey: 1])
    }

    @Test func `attack: a passkey answer that was used before begins no scan and is not recorded`() async throws {
        let harness = Self.harness()
        let login = try await harness.begin(policy: Self.policy)
        let used = Self.confirmation { _ in throw UnexpectedResultError(what: "used before") }
        await #expect(throws: UnexpectedResultError.self) {
            _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil, confirmation: used)
        }
        #expect(harness.provider.calls.isEmpty && harness.environment(of: login).isEmpty)
        let next = try await harness.service.open(ticket: login.ticket, browserCookie: nil)
        #expect(next == .passkeyNeeded, "nobody is inside any more")
    }

    @Test func `attack: a passkey for an expired login is refused and not recorded as confirmed`() async throws {
        let harness = Self.harness()
        let login = try await harness.begin(policy: Self.policy)
        await harness.pass(.seconds(181))
        let late = try await harness.service.open(
            ticket: login.ticket,
            browserCookie: nil,
            confirmation: Self.confirmation()
        )
        #expect(late == .over && !harness.environment(of: login).contains(.confirmed))
    }
}
