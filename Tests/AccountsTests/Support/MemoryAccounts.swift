import Crypto
import Kernel
import MemoryStore
import Synchronization

@testable import Accounts

/// Accounts in memory.
final class MemoryAccountStore: AccountStore {
    private let records = Mutex<[AccountRecord]>([])

    var all: [AccountRecord] { records.withLock { $0 } }

    func insert(_ record: AccountRecord, in transaction: borrowing Transaction) throws {
        try records.withLock { records in
            for email in record.emails { try Self.refuse(email.address, of: record.account.id, in: records) }
            if let name = record.username, records.contains(where: { $0.username == name }) {
                throw AccountError.usernameTaken
            }
            records.append(record)
        }
    }

    func put(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws {
        guard !isDown.withLock({ $0 }) else { throw StoreDownError() }
        try change(account) { record, others in
            let isTaken = others.contains { other in
                other.enrolments.contains { $0.provider == enrolment.provider && $0.reference == enrolment.reference }
            }
            guard !isTaken else { throw AccountError.providerAccountTaken(enrolment.reference) }
            guard !record.enrolments.contains(where: { $0.provider == enrolment.provider && $0.isActive }) else {
                throw AccountError.enrolledAlready(enrolment.provider)
            }
            record.enrolments.removeAll { $0.provider == enrolment.provider }
            record.enrolments.append(enrolment)
        }
    }

    /// From now on enrolments can't be written.
    func goDown() { isDown.withLock { $0 = true } }

    struct StoreDownError: Error {}
    private let isDown = Mutex(false)

    func find(_ id: AccountID) async throws -> AccountRecord? { all.first { $0.account.id == id } }

    func find(email: EmailAddress) async throws -> AccountRecord? {
        all.first { $0.emails.contains { $0.address == email } }
    }

    func account(named username: Username, in transaction: borrowing Transaction) throws -> AccountID? {
        all.first { $0.username == username }?.account.id
    }

    func list(limit: Int) async throws -> [AccountRecord] { Array(all.reversed().prefix(limit)) }

    func list(_ search: AccountSearch) async throws -> [AccountRecord] {
        let ordered = all.map(\.account).sorted { ($1.createdAt, $0.id.bits) < ($0.createdAt, $1.id.bits) }.map(\.id)
        let records = ordered.compactMap { id in all.first { $0.account.id == id } }
        return Array(records.filter { $0.matches(search) }.prefix(search.limit))
    }

    func profile(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        all.first { $0.account.id == id }?.profile
    }

    func candidate(
        email: EmailAddress,
        provider: String,
        in transaction: borrowing Transaction
    ) throws -> LoginCandidate? {
        all.first { $0.emails.contains { $0.address == email } }.map { record in
            LoginCandidate(
                account: record.account.id,
                state: record.account.state,
                isEnrolled: record.enrolments.contains { $0.provider == provider && $0.isActive }
            )
        }
    }

    func setState(_ state: Account.State, of id: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        var isChanged = false
        try change(id) { record, _ in
            isChanged = record.state != state
            record.state = state
        }
        return isChanged
    }

    func setDisplayName(_ name: String, of id: AccountID, in transaction: borrowing Transaction) throws {
        try change(id) { record, _ in record.name = name }
    }

    func setAttribute(
        _ name: String,
        to value: String?,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        try change(id) { record, _ in record.attributes[name] = value }
    }

    func passwordHash(of id: AccountID, in transaction: borrowing Transaction) throws -> Secret? {
        all.first { $0.account.id == id }?.passwordHash
    }

    func setPasswordHash(_ hash: Secret?, of id: AccountID, in transaction: borrowing Transaction) throws {
        try change(id) { record, _ in record.passwordHash = hash }
    }

    func replaceEmails(with email: VerifiedEmail, of id: AccountID, in transaction: borrowing Transaction) throws {
        try change(id) { record, others in
            try Self.refuse(email.address, of: id, in: others)
            record.emails = [email]
            record.claim = nil
        }
    }

    func close(_ id: AccountID, in transaction: borrowing Transaction) throws {
        try change(id) { record, _ in
            record = Draft(
                name: Account.closedName,
                state: .disabled,
                attributes: [:],
                emails: [],
                username: nil,
                claim: nil,
                enrolments: record.enrolments,
                passwordHash: nil
            )
        }
    }

    /// An account's parts, to be changed one by one.
    private struct Draft {
        var name: String
        var state: Account.State
        var attributes: [String: String]
        var emails: [VerifiedEmail]
        var username: Username?
        var claim: EmailAddress?
        var enrolments: [Enrolment]
        var passwordHash: Secret?
    }

    private func change(_ id: AccountID, _ body: (inout Draft, [AccountRecord]) throws -> Void) throws {
        try records.withLock { records in
            guard let index = records.firstIndex(where: { $0.account.id == id }) else { return }
            let old = records[index]
            var draft = Draft(
                name: old.account.displayName,
                state: old.account.state,
                attributes: old.account.attributes.given,
                emails: old.emails,
                username: old.username,
                claim: old.claim,
                enrolments: old.enrolments,
                passwordHash: old.passwordHash
            )
            try body(&draft, records.filter { $0.account.id != id })
            records[index] = AccountRecord(
                account: Account(
                    id: id,
                    displayName: draft.name,
                    state: draft.state,
                    attributes: AccountAttributes(draft.attributes),
                    createdAt: old.account.createdAt
                ),
                emails: draft.emails,
                username: draft.username,
                claim: draft.claim,
                enrolments: draft.enrolments,
                passwordHash: draft.passwordHash
            )
        }
    }

    private static func refuse(_ email: EmailAddress, of id: AccountID, in records: [AccountRecord]) throws {
        let isTaken = records.contains { record in
            record.account.id != id && record.emails.contains { $0.address == email }
        }
        guard !isTaken else { throw AccountError.emailTaken(email.text) }
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
    private let state = Mutex<(creations: [Creation], fault: AccountError?)>(([], nil))

    var creations: [Creation] { state.withLock(\.creations) }

    func fail(with fault: AccountError?) { state.withLock { $0.fault = fault } }

    func create(
        reference: String,
        displayName: String,
        email: String?,
        at provider: String
    ) async throws(AccountError) {
        let fault = state.withLock { state in
            state.creations.append(
                Creation(reference: reference, displayName: displayName, email: email, provider: provider)
            )
            return state.fault
        }
        if let fault { throw fault }
    }
}

/// Runs each unit at once, one at a time.
final class ImmediateUnitOfWork: UnitOfWork {
    private let turn = Mutex(())

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let effects = DurableEffects()
        let value = try turn.withLock { _ in try body(Transaction(context: Context(), effects: effects)) }
        effects.run()
        return value
    }

    private final class Context {}
}

/// Time that stands still until it is moved, and random bytes that count up.
final class StoppedClock: MonotonicClock {
    static let instant = Instant(milliseconds: 1_800_000_000_123)
    private let counter = Mutex<UInt8>(0)
    private let passed = Mutex<Duration>(.zero)

    /// Moves the wall clock, also back.
    func move(by duration: Duration) { passed.withLock { $0 += duration } }

    var now: Uptime { Uptime(nanoseconds: 0) }
    func sleep(until deadline: Uptime) async throws {}

    var environment: Environment {
        Environment(
            now: { self.passed.withLock { Self.instant + $0 } },
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

/// In the place of accounts, for addresses that nobody has.
enum StandIns {
    private static let factory = EmailCodeFactory(key: SymmetricKey(data: Array(repeating: 7 as UInt8, count: 32)))

    @Sendable static func of(_ email: EmailAddress) -> AccountID { factory.placeholderAccount(for: email) }
}

/// The accounts whose sessions would be ended.
final class RecordingAccess: AccountAccess {
    private let entries = Mutex<[String]>([])

    var all: [String] { entries.withLock { $0 } }

    func endElsewhere(
        of account: AccountID,
        except kept: KeptAccess?,
        because reason: AccessChange,
        in transaction: borrowing Transaction
    ) throws { note("\(reason) of \(account) but \(kept.map(\.session.description) ?? "none")") }

    func removeAll(
        of account: AccountID,
        except kept: KeptAccess,
        in transaction: borrowing Transaction
    ) throws -> String? {
        note("all of \(account) but \(kept.session)")
        return nil
    }

    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) -> Bool { true }
    func settle(_ account: AccountID, because change: AccessChange) async throws {
        note("\(change) of \(account) settled")
    }

    private func note(_ entry: String) { entries.withLock { $0.append(entry) } }
}
