import Kernel
import Synchronization
import Testing

@testable import Accounts

struct RegistrationTests {
    private let store = MemoryAccountStore()
    private let journal = MemoryAccountJournal()
    private let work = ImmediateUnitOfWork()
    private let ended = EndedAccess()
    private let mailbox = RecordedMail()
    private let registrations: RegistrationDesk
    /// Where an address is claimed until it is proved.
    private let claiming: RegistrationDesk

    init() {
        let facts = StoppedClock().facts
        registrations = Self.desk(facts, store, journal, claims: false)
        claiming = Self.desk(facts, store, journal, claims: true)
    }

    private static func desk(
        _ facts: Facts,
        _ store: MemoryAccountStore,
        _ journal: MemoryAccountJournal,
        claims: Bool
    ) -> RegistrationDesk {
        RegistrationDesk(
            facts: facts,
            store: store,
            journal: journal,
            passwords: PasswordDesk(
                unitOfWork: ImmediateUnitOfWork(),
                store: store,
                journal: journal,
                lockouts: Lockouts(facts: facts, store: MemoryLockouts()),
                hasher: PasswordHasher(
                    facts: facts,
                    parameters: ScryptParameters(rounds: 16, blockSize: 1, parallelism: 1)
                )
            ),
            claims: claims
        )
    }

    @Test func `a new account has nothing but what everybody has, and an address that nobody has proved`() async throws
    {
        let record = try await register(" Ada@Example.com", "Ada", "correct horse battery")
        #expect(record.account.attributes == AccountAttributes())
        #expect(record.emails.map(\.address.text) == ["ada@example.com"] && !record.emails[0].isVerified)
        #expect(record.enrolments.isEmpty && record.passwordHash?.expose().hasPrefix("scrypt$") == true)
        #expect(store.all == [record])
        #expect(journal.all == [.init(fact: .registered, account: record.account.id, detail: nil)])
        #expect(try await register("bob@example.com", "Bob", nil).passwordHash == nil)
    }

    @Test func `what can't be an account is refused, each with its own fault`() async throws {
        for (email, name, password, fault) in [
            ("ada@", "Ada", nil, .badEmail("ada@")), ("ada@example.com", "", nil, .badName),
            ("ada@example.com", "A\u{202E}da", nil, .badName), ("ada@example.com", "Ada", "short", .weakPassword),
        ] as [(String, String, String?, AccountFault)] {
            await #expect(throws: fault) { try await register(email, name, password) }
        }
        #expect(store.all.isEmpty && journal.all.isEmpty)
    }

    @Test func `attack: an address that somebody has is not given twice, however it is written`() async throws {
        let first = try await register("ada@example.com", "Ada", nil)
        await #expect(throws: AccountFault.emailTaken("ada@example.com")) {
            try await register("ADA@example.COM ", "Mallory", nil)
        }
        #expect(store.all == [first])
    }

    @Test func `attack: the first proof from elsewhere ends all that a stranger set up; the owner's own ends nothing`()
        async throws
    {
        let (planted, own) = (
            try await register("ada@example.com", "Mallory", "mallory's password"),
            try await register("bob@example.com", "Bob", "bob's own password")
        )
        #expect(try await prove(planted, within: false) == .verified(earlierAccessEnded: true))
        #expect(try await prove(own, within: true) == .verified(earlierAccessEnded: false))
        #expect(ended.all == [planted.account.id])
        #expect(try await store.find(planted.account.id)?.passwordHash == nil)
        #expect(try await store.find(own.account.id)?.passwordHash != nil)
        for record in [planted, own] {
            #expect(try await store.find(record.account.id)?.emails[0].isVerified == true)
            #expect(try await prove(record, within: false) == .known, "only the first ends anything")
        }
        let told = AccountMail(
            to: planted.emails[0].address,
            language: "fr",
            service: "The App",
            content: .notice(.earlierAccessRemoved)
        )
        #expect(mailbox.all == [told])
        #expect(ended.all == [planted.account.id])
    }

    @Test func `attack: where addresses are claimed first, opening an account tells nobody who has one`() async throws {
        let owner = try await register("ada@example.com", "Ada", nil)
        let claims = [
            try await register("ADA@example.com", "Mallory", nil, at: claiming),
            try await register("eve@example.com", "Mallory", nil, at: claiming),
            try await register("eve@example.com", "Eve", nil, at: claiming),
        ]
        #expect(claims.map { $0.claim?.text } == ["ada@example.com", "eve@example.com", "eve@example.com"])
        #expect(claims.allSatisfy { $0.emails.isEmpty && !$0.profile.isEmailVerified })
        #expect(try await store.find(email: owner.emails[0].address) == owner)
        #expect(try await prove(claims[2], within: false) == .verified(earlierAccessEnded: true))
        #expect(try await prove(claims[1], within: true) == .refused, "it is the one's that proved it first")
        #expect(try await prove(claims[0], within: true) == .refused)
        let claimed = try #require(claims[2].claim)
        #expect(try await store.find(email: claimed)?.account.id == claims[2].account.id)
    }

    @Test func `attack: a proof of another address, or for an account that was shut, is none`() async throws {
        let ada = try await register("ada@example.com", "Ada", nil)
        let bob = try await register("bob@example.com", "Bob", nil)
        let outcome = try await work.run { [proofs] in
            try proofs.note(
                bob.emails[0].address,
                of: ada.account.id,
                fromWithin: false,
                client: "app",
                language: "fr",
                in: $0
            )
        }
        #expect(outcome == .refused)
        _ = try await work.run { [store] in try store.setState(.disabled, of: bob.account.id, in: $0) }
        #expect(try await prove(bob, within: false) == .refused)
        #expect(ended.all.isEmpty)
    }

    private var proofs: AddressProofs {
        AddressProofs(
            store: store,
            journal: journal,
            notices: OwnerNotices(store: store, mailer: mailbox, services: ["app": "The App"])
        ) { [ended] account, _ in
            ended.note(account)
        } whenEnded: { _ in
        }
    }

    private func prove(_ record: AccountRecord, within isWithin: Bool) async throws -> AddressProofOutcome {
        try await work.run { [proofs] in
            try proofs.note(
                try #require(record.profile.email),
                of: record.account.id,
                fromWithin: isWithin,
                client: "app",
                language: "fr",
                in: $0
            )
        }
    }

    @discardableResult
    private func register(
        _ email: String,
        _ name: String,
        _ password: String?,
        at desk: RegistrationDesk? = nil
    ) async throws -> AccountRecord {
        let registration = Registration(email: email, name: name, password: password.map { Secret($0) })
        let desk = desk ?? registrations
        let record = try await desk.prepare(registration)
        try await work.run { try desk.open(record, in: $0) }
        return record
    }
}

/// Whose earlier access was ended.
private final class EndedAccess: Sendable {
    private let accounts = Mutex<[AccountID]>([])

    var all: [AccountID] { accounts.withLock { $0 } }
    func note(_ account: AccountID) { accounts.withLock { $0.append(account) } }
}

/// The mails that would be sent.
private final class RecordedMail: Mailer {
    private let mails = Mutex<[AccountMail]>([])

    var all: [AccountMail] { mails.withLock { $0 } }

    func enqueue(_ mail: AccountMail, in transaction: borrowing Transaction) throws {
        mails.withLock { $0.append(mail) }
    }
}
