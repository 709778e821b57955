import Crypto
import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import Accounts

/// Keeps what would be sent.
final class RecordingMailer: CodeMailer {
    private let state = Mutex(State())

    private struct State {
        var sent: [AccountMail] = []
        var rehearsed: [AccountMail] = []
        var refusal: MailError?
    }

    var sent: [AccountMail] { state.withLock { $0.sent } }
    var rehearsed: [AccountMail] { state.withLock { $0.rehearsed } }

    func refuse(_ refusal: MailError?) { state.withLock { $0.refusal = refusal } }

    func enqueue(_ mail: AccountMail, in transaction: borrowing Transaction) throws {
        try note(mail, \.sent)
    }

    func rehearse(_ mail: AccountMail, in transaction: borrowing Transaction) throws {
        try note(mail, \.rehearsed)
    }

    private func note(_ mail: AccountMail, _ list: any WritableKeyPath<State, [AccountMail]> & Sendable) throws {
        try state.withLock { state in
            if let refusal = state.refusal { throw refusal }
            state[keyPath: list].append(mail)
        }
    }
}

/// Codes in virtual time, for Ada, whose account is active, and Bob, whose is disabled.
struct CodeHarness: Sendable {
    static let ada = AccountID(UUIDBits(high: 1, low: 1))
    static let tablet = DeviceID(UUIDBits(high: 2, low: 2))

    let time = VirtualTime()
    let storage = MemoryDisk().open()
    let mailer = RecordingMailer()
    let factory = EmailCodeFactory(key: SymmetricKey(size: .bits256))
    let lockouts: Lockouts
    let accounts = MemoryAccountStore()
    let service: EmailCodeService

    init() async throws {
        let people: [(String, AccountID, Account.State)] = [
            ("ada", Self.ada, .active), ("bob", AccountID(UUIDBits(high: 1, low: 9)), .disabled),
        ]
        let now = time.wall
        for (name, id, state) in people {
            let record = AccountRecord(
                account: Account(
                    id: id,
                    displayName: name,
                    state: state,
                    attributes: AccountAttributes(),
                    createdAt: now
                ),
                emails: [VerifiedEmail(address: try #require(EmailAddress("\(name)@example.com")), isVerified: true)],
                enrolments: [],
                passwordHash: nil
            )
            try await ImmediateUnitOfWork().run { [accounts] in try accounts.insert(record, in: $0) }
        }
        lockouts = Lockouts(environment: time.environment(), store: storage.lockouts)
        service = EmailCodeService(
            environment: time.environment(),
            unitOfWork: storage.unitOfWork,
            accounts: accounts,
            store: storage.emailCodes,
            lockouts: lockouts,
            mailer: mailer,
            factory: factory
        ) { Secret("https://login.example.com/mail/code/\($0.expose())") }
    }

    /// A code that was sent, as the mail has it.
    struct Sent: Sendable {
        let id: EmailCodeID
        let digits: Secret
        let token: Secret

        /// Six digits that are not these.
        var wrong: Secret { Secret(digits.expose() == "111111" ? "222222" : "111111") }
    }

    /// Asks for a code; what would have been sent is told of addresses that nobody has, too.
    func send(
        to email: String = "ada@example.com",
        device: String = "phone",
        linked: DeviceID? = nil
    ) async throws -> Sent {
        let order = EmailCodeRequest(
            email: try #require(EmailAddress(email)),
            device: DeviceName(client: "app", device: device),
            requester: "en",
            service: "Example"
        )
        let id = try await service.send(order) { _, _ in linked }
        let newest = (mailer.sent + mailer.rehearsed).filter { $0.to.text == email }.last
        guard case .signInCode(let digits, let link?, _) = newest?.content else {
            throw StoreError.conflict(cause: "no code was sent")
        }
        return Sent(id: id, digits: digits, token: Secret(String(link.expose().split(separator: "/").last ?? "")))
    }

    func redeem(
        _ digits: Secret,
        of code: EmailCodeTry.Name,
        device: String = "phone",
        client: String = "app",
        linked: DeviceID? = nil
    ) async throws -> EmailCodeOutcome {
        let attempt = EmailCodeTry(
            code: code,
            device: DeviceName(client: client, device: device),
            digits: digits
        )
        return try await storage.unitOfWork.run { [service] transaction in
            try service.redeem(attempt, recognise: { _, _ in linked }, in: transaction)
        }
    }

    func wrongTries(of id: EmailCodeID) async throws -> Int? {
        try await storage.unitOfWork.run { [storage] in try storage.emailCodes.find(id, in: $0)?.wrongTries }
    }
}

extension EmailCodeOutcome {
    /// Whose mail was read, if it was.
    var owner: AccountID? { if case .proven(let code) = self { code.recipient.account } else { nil } }

    var isTooMany: Bool { if case .tooMany = self { true } else { false } }
}
