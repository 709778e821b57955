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

    private static func bench(owners: Set<AccountID> = [OperationSample.account]) -> Bench {
        Bench(passkeys: Passkeys(owners: owners))
    }

    private static let passkey = PasskeyID(UUIDBits(high: 0xB, low: 1))

    private static func confirmation(
        of account: AccountID = OperationSample.account,
        use: @escaping @Sendable (borrowing Transaction) throws -> Void = { _ in }
    ) -> PasskeyConfirmation {
        PasskeyConfirmation(account: account, passkey: passkey, use: use)
    }

    @Test func `the passkey goes on and is on record before the scan, a press does not`() async throws {
        let bench = Self.bench()
        let login = try await bench.begin(policy: Self.policy)
        #expect(try await bench.service.open(ticket: login.ticket, browserCookie: nil) == .passkeyNeeded)
        #expect(bench.provider.calls.isEmpty)
        let outcome = try await bench.service.open(
            ticket: login.ticket,
            browserCookie: Secret("one"),
            confirmation: Self.confirmation()
        )
        guard case .toProvider = outcome else { throw Unexpected(what: "\(outcome)") }
        #expect(bench.environment(of: login) == [.confirmed, .opened, .scanStarted])
        let row = bench.audited(.confirmed).first
        #expect(row?.detail == Self.passkey.description && row?.account == OperationSample.account)
        #expect(try await bench.service.open(ticket: login.ticket, browserCookie: Secret("one")) == outcome)
        #expect(try await bench.service.open(ticket: login.ticket, browserCookie: Secret("two")) == .passkeyNeeded)
        #expect(bench.service.refusals.totals == [.openWithoutPasskey: 2])
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

    @Test func `attack: no scan is begun for a login that was ended while its passkey was looked at`() async throws {
        let passkeys = SlowPasskeys()
        let bench = Bench(passkeys: passkeys)
        let login = try await bench.begin(policy: Self.policy)
        _ = try await bench.service.open(ticket: login.ticket, browserCookie: Secret("one"))
        #expect(bench.provider.beginCount == 1)
        passkeys.onNextLook { [service = bench.service] in _ = try await service.cancel(login.publicID, login.rightful)
        }
        #expect(try await bench.service.open(ticket: login.ticket, browserCookie: Secret("two")) == .over)
        #expect(bench.provider.beginCount == 1)
    }

    @Test func `an account without any, and a server without any, takes the press`() async throws {
        for bench in [Self.bench(owners: []), Bench()] {
            let login = try await bench.begin(policy: Self.policy)
            _ = try await bench.open(login)
            #expect(bench.provider.beginCount == 1)
        }
        let bench = Bench()
        let login = try await bench.begin(policy: Self.policy)
        guard case .confirm(let view) = bench.service.landing(ticket: login.ticket, browserCookie: nil) else {
            throw Unexpected(what: "no page that asks")
        }
        #expect(!view.asksPasskey, "there are none to ask for")
    }

    @Test func `a page that asks nothing asks for no passkey`() async throws {
        let bench = Self.bench()
        let going = OperationSample.policy(landing: LandingPolicy(step: .redirect, confirmation: .passkeyIfAny))
        let login = try await bench.begin(policy: going)
        #expect(bench.service.landing(ticket: login.ticket, browserCookie: nil) == .proceed)
        _ = try await bench.open(login)
    }

    @Test func `attack: a decoy's page and its answers are those of an account with a passkey, at the same cost`()
        async throws
    {
        let bench = Self.bench()
        let real = try await bench.begin(policy: Self.policy)
        let decoy = try await bench.begin(email: "nobody@example.com", policy: Self.policy)
        #expect(decoy.begun.operation.isDecoy && !real.begun.operation.isDecoy)
        let pages = [real, decoy].map { bench.service.landing(ticket: $0.ticket, browserCookie: nil) }
        #expect(pages[0] == pages[1])
        let stranger = AccountID(UUIDBits(high: 0xC, low: 7))
        for confirmation in [nil, Self.confirmation(of: stranger)] {
            var outcomes: [OpenOutcome] = []
            var costs: [Int] = []
            for login in [real, decoy] {
                let before = bench.disk.tally
                outcomes.append(
                    try await bench.service.open(ticket: login.ticket, browserCookie: nil, confirmation: confirmation)
                )
                let spent = bench.disk.tally - before
                costs.append(spent.units + spent.reads)
            }
            #expect(outcomes[0] == outcomes[1])
            #expect(outcomes[0] == (confirmation == nil ? .passkeyNeeded : .otherPasskey))
            #expect(costs[0] == costs[1])
        }
        #expect(bench.provider.calls.isEmpty)
    }

    @Test func `attack: the passkey of another account is not used up, and starts nothing`() async throws {
        let bench = Self.bench()
        let login = try await bench.begin(policy: Self.policy)
        let other = Self.confirmation(of: AccountID(UUIDBits(high: 0xC, low: 7))) { _ in
            throw Unexpected(what: "it was used")
        }
        #expect(
            try await bench.service.open(ticket: login.ticket, browserCookie: nil, confirmation: other) == .otherPasskey
        )
        #expect(bench.provider.calls.isEmpty && bench.environment(of: login).isEmpty)
        #expect(bench.service.refusals.totals == [.openOtherPasskey: 1])
    }

    @Test func `attack: an answer that was used before leaves no record and no scan`() async throws {
        let bench = Self.bench()
        let login = try await bench.begin(policy: Self.policy)
        let used = Self.confirmation { _ in throw Unexpected(what: "used before") }
        await #expect(throws: Unexpected.self) {
            _ = try await bench.service.open(ticket: login.ticket, browserCookie: nil, confirmation: used)
        }
        #expect(bench.provider.calls.isEmpty && bench.environment(of: login).isEmpty)
        let next = try await bench.service.open(ticket: login.ticket, browserCookie: nil)
        #expect(next == .passkeyNeeded, "nobody is inside any more")
    }

    @Test func `attack: a login that is over takes no passkey`() async throws {
        let bench = Self.bench()
        let login = try await bench.begin(policy: Self.policy)
        await bench.pass(.seconds(181))
        let late = try await bench.service.open(
            ticket: login.ticket,
            browserCookie: nil,
            confirmation: Self.confirmation()
        )
        #expect(late == .over && !bench.environment(of: login).contains(.confirmed))
    }
}
