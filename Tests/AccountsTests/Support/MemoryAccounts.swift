import Kernel
import Synchronization

@testable import Accounts

/// Accounts in memory.
final class MemoryAccountStore: AccountStore {
    private let records = Mutex<[AccountRecord]>([])

    var all: [AccountRecord] { records.withLock { $0 } }

    func insert(_ record: AccountRecord, in transaction: borrowing Transaction) throws {
        records.withLock { $0.append(record) }
    }

    func insert(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws {
        try records.withLock { records in
            let isTaken = records.contains { record in
                record.enrolments.contains { $0.provider == enrolment.provider && $0.reference == enrolment.reference }
            }
            guard !isTaken else { throw AccountFault.providerAccountTaken(enrolment.reference) }
            guard let index = records.firstIndex(where: { $0.account.id == account }) else { return }
            let old = records[index]
            records[index] = AccountRecord(
                account: old.account,
                emails: old.emails,
                enrolments: old.enrolments + [enrolment],
                passwordHash: old.passwordHash
            )
        }
    }

    func find(_ id: AccountID) async throws -> AccountRecord? { all.first { $0.account.id == id } }

    func find(email: EmailAddress) async throws -> AccountRecord? {
        all.first { $0.emails.contains { $0.address == email } }
    }

    func list(limit: Int) async throws -> [AccountRecord] { Array(all.reversed().prefix(limit)) }

    func profile(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        all.first { $0.account.id == id }?.profile
    }

    func candidate(
        email: EmailAddress,
        provider: String,
        in transaction: borrowing Transaction
    ) throws -> LoginCandidate? { nil }

    func setState(_ state: Account.State, of id: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        records.withLock { records in
            guard let index = records.firstIndex(where: { $0.account.id == id }) else { return false }
            let old = records[index]
            guard old.account.state != state else { return false }
            records[index] = AccountRecord(
                account: Account(
                    id: id,
                    displayName: old.account.displayName,
                    state: state,
                    attributes: old.account.attributes,
                    createdAt: old.account.createdAt
                ),
                emails: old.emails,
                enrolments: old.enrolments,
                passwordHash: old.passwordHash
            )
            return true
        }
    }

    func change(
        displayName: String?,
        attributes: AccountAttributes,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        records.withLock { records in
            guard let index = records.firstIndex(where: { $0.account.id == id }) else { return }
            let old = records[index]
            let given = old.account.attributes.given.merging(attributes.given) { $1 }.filter { !$0.value.isEmpty }
            records[index] = AccountRecord(
                account: Account(
                    id: id,
                    displayName: displayName ?? old.account.displayName,
                    state: old.account.state,
                    attributes: AccountAttributes(given),
                    createdAt: old.account.createdAt
                ),
                emails: old.emails,
                enrolments: old.enrolments,
                passwordHash: old.passwordHash
            )
        }
    }
}

/// What the audit would hear.
final class MemoryAccountJournal: AccountJournal {
    struct Entry: Equatable {
        let fact: AccountFact
        let account: AccountID
        let detail: String?
    }

    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }

    func record(
        _ fact: AccountFact,
        of account: AccountID,
        detail: String?,
        in transaction: borrowing Transaction
    ) throws {
        entries.withLock { $0.append(Entry(fact: fact, account: account, detail: detail)) }
    }
}

/// A provider's accounts, made as the test says.
final class ScriptedProviderDirectory: ProviderDirectory {
    struct Creation: Equatable {
        let reference: String
        let displayName: String
        let email: String?
        let provider: String
    }

    let providers = ["mock", "other"]
    private let state = Mutex<(creations: [Creation], fault: AccountFault?)>(([], nil))

    var creations: [Creation] { state.withLock(\.creations) }

    func fail(with fault: AccountFault) { state.withLock { $0.fault = fault } }

    func create(
        reference: String,
        displayName: String,
        email: String?,
        at provider: String
    ) async throws(AccountFault) {
        let fault = state.withLock { state in
            state.creations.append(
                Creation(reference: reference, displayName: displayName, email: email, provider: provider)
            )
            return state.fault
        }
        if let fault { throw fault }
    }
}

/// Runs each unit at once.
struct ImmediateUnitOfWork: UnitOfWork {
    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try body(Transaction(context: Context()))
    }

    private final class Context {}
}

/// Time that stands still, and random bytes that count up.
final class StoppedClock: MonotonicClock {
    static let instant = Instant(milliseconds: 1_800_000_000_123)
    private let counter = Mutex<UInt8>(0)

    var now: Uptime { Uptime(nanoseconds: 0) }
    func sleep(until deadline: Uptime) async throws {}

    var facts: Facts {
        Facts(
            now: { Self.instant },
            clock: self,
            randomBytes: { count in
                self.counter.withLock { counter in
                    counter += 1
                    return Array(repeating: counter, count: count)
                }
            }
        )
    }
}
