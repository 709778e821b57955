import Foundation
import Kernel
import MemoryStore
import SoftwareAuthenticator
import Synchronization

@testable import Passkeys

/// The service over the in-memory store, with people who are what the test says and time that stands still.
final class PasskeyFixture: Sendable {
    static let origin = "https://login.example.com"
    static let rpID = "example.com"
    private static let otherRPID = "example.org"

    let disk = MemoryDisk()
    let storage: MemoryStorage
    let time = VirtualTime()
    let people = ScriptedPeople()
    private let auditLog = NotedPasskeys()
    let service: PasskeyService
    let owned: OwnedPasskeys

    init(counter: CounterPolicy = .refuse, attestation: AttestationConveyance = .none) throws {
        storage = disk.open()
        let party = try RelyingParty(id: Self.rpID, name: "Example", origins: [try Origin(Self.origin)])
        let other = try RelyingParty(id: Self.otherRPID, name: "Other", origins: [try Origin("https://example.org")])
        service = PasskeyService(
            environment: time.environment(seed: 1),
            unitOfWork: storage.unitOfWork,
            stores: PasskeyStores(passkeys: storage.passkeys, challenges: storage.passkeyChallenges),
            people: people,
            auditLog: auditLog,
            notices: auditLog,
            decoys: DecoyCredentials(key: Digest256(Array(repeating: 7 as UInt8, count: 32)) ?? .zero),
            policy: PasskeyPolicy(
                relyingParties: [party, other],
                attestation: AttestationPolicy(attestation, anchors: AttestationTrust(anchors: TrustAnchors())),
                counter: counter
            )
        )
        owned = OwnedPasskeys(
            unitOfWork: storage.unitOfWork,
            store: storage.passkeys,
            people: people,
            auditLog: auditLog,
            notices: auditLog,
            ending: NotedPasskeyEnding()
        )
    }

    private static let ended = NotedPasskeyEnding.prefix

    /// By which removed passkeys sessions were ended, each with the one that went on.
    var endedSessions: [String] { disk.tables.notes.filter { $0.hasPrefix(Self.ended) } }

    /// The answer of the other relying party to a name that nobody has.
    func decoysElsewhere(_ name: String) throws -> [CredentialDescriptor] {
        guard let other = service.policy.relyingParties[Self.otherRPID] else { throw PasskeyError.noRelyingParty }
        return service.decoys.descriptors(for: name, relyingParty: other)
    }

    /// The audit's events and the notices to owners.
    var told: [String] {
        disk.tables.notes.filter { note in !["opened ", Self.ended].contains { note.hasPrefix($0) } }
    }

    static let binding = ChallengeBinding.id(Secret("a"))
    static let otherBinding = ChallengeBinding.id(Secret("b"))

    static func ceremony(
        _ verification: UserVerificationRequirement = .required,
        _ binding: ChallengeBinding = PasskeyFixture.binding
    ) -> PasskeyCeremony {
        PasskeyCeremony(rpID: rpID, userVerification: verification, binding: binding, source: .zero)
    }

    /// The options that a browser makes a passkey with.
    func registrationOptions(
        _ name: String?,
        asker: AccountID? = nil,
        access: RegisterPasskey.Access = [.new, .own],
        residentKey: ResidentKeyRequirement = .preferred,
        _ ceremony: PasskeyCeremony = PasskeyFixture.ceremony()
    ) async throws -> String {
        let order = RegisterPasskey(
            ceremony: ceremony,
            asker: asker,
            name: name,
            preferences: RegistrationPreferences(
                algorithms: COSEAlgorithm.offered,
                residentKey: residentKey,
                userVerification: ceremony.userVerification,
                attestation: .none
            ),
            access: access
        )
        return try Self.text(try await service.begin(order))
    }

    /// The same, to sign in.
    func signInOptions(_ name: String?, _ ceremony: PasskeyCeremony = PasskeyFixture.ceremony()) async throws -> String
    {
        try Self.text(try await service.begin(SignInByPasskey(ceremony: ceremony, name: name)))
    }

    /// Makes a passkey as a browser does, and keeps it.
    @discardableResult
    func register(
        _ name: String,
        asker: AccountID? = nil,
        _ authenticator: SoftwareAuthenticator = SoftwareAuthenticator(origin: PasskeyFixture.origin)
    ) async throws -> (SoftwareAuthenticator.Credential, Passkey) {
        let options = try await registrationOptions(name, asker: asker)
        let (credential, answer) = try authenticator.create(options)
        return (credential, try await keep(answer))
    }

    /// The session that removes passkeys.
    static let session = SessionID(UUIDBits(high: 0x5E, low: 1))

    /// Removes the passkey as its owner does.
    func remove(_ id: PasskeyID, of account: AccountID) async throws {
        try await storage.unitOfWork.run { [owned] transaction in
            try owned.remove(id, of: account, by: Self.session, client: "app", requester: "en", in: transaction)
        }
    }

    func keep(_ answer: String, from binding: ChallengeBinding = PasskeyFixture.binding) async throws -> Passkey {
        let checked = try await service.check(registration: try Self.json(answer), from: binding)
        return try await storage.unitOfWork.run { [service] transaction in
            try service.register(checked, client: "app", requester: "en", in: transaction)
        }
    }

    /// Signs in with an answer; returns who it was.
    @discardableResult
    func signIn(_ answer: String, from binding: ChallengeBinding = PasskeyFixture.binding) async throws -> AccountID {
        let checked = try await service.check(signIn: try Self.json(answer), from: binding)
        try await storage.unitOfWork.run { [service] transaction in try service.redeem(checked, in: transaction) }
        return checked.account
    }

    static func json(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    static func text(_ options: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(options), as: UTF8.self)
    }

    /// The credential ids that the options name.
    static func allowed(_ options: String) throws -> [String] {
        guard case .object(let members) = try json(options), case .array(let listed)? = members["allowCredentials"]
        else { return [] }
        return listed.compactMap { entry in
            guard case .object(let descriptor) = entry, case .string(let id)? = descriptor["id"] else { return nil }
            return id
        }
    }
}

/// People who are opened by their names, in the unit of work that opens them.
final class ScriptedPeople: PasskeyPeople {
    private static let opened = "opened "
    private let added = Mutex<[String: PasskeyPerson]>([:])

    func person(named name: String, in transaction: borrowing Transaction) throws -> PasskeyPerson? {
        let name = normalised(name)
        if let person = added.withLock({ $0[name] }) { return person }
        return try MemoryNotes().all(in: transaction).contains(Self.opened + name) ? Self.person(name) : nil
    }

    func person(called username: String, in transaction: borrowing Transaction) throws -> PasskeyPerson? {
        canBeNamed(username) ? try person(named: username, in: transaction) : nil
    }

    func person(_ account: AccountID, in transaction: borrowing Transaction) throws -> PasskeyPerson? {
        if let person = added.withLock({ people in people.values.first { $0.account == account } }) { return person }
        let names = try MemoryNotes().all(in: transaction).filter { $0.hasPrefix(Self.opened) }
        return names.map { Self.person(String($0.dropFirst(Self.opened.count))) }.first { $0.account == account }
    }

    func canBeNamed(_ name: String) -> Bool { !name.contains("@") }

    func open(named name: String, in transaction: borrowing Transaction) throws -> AccountID {
        guard canBeNamed(name) else { throw PasskeyError.badName }
        guard try person(named: name, in: transaction) == nil else { throw PasskeyError.nameTaken }
        try MemoryNotes().append(Self.opened + normalised(name), in: transaction)
        return Self.person(normalised(name)).account
    }

    func normalised(_ name: String) -> String { name.lowercased() }

    /// Somebody who was there before.
    @discardableResult
    func add(_ name: String, isActive: Bool = true, hasOtherWay: Bool = false) -> AccountID {
        let person = Self.person(normalised(name), isActive: isActive, hasOtherWay: hasOtherWay)
        added.withLock { $0[person.name] = person }
        return person.account
    }

    /// The same account for a name each time.
    private static func person(_ name: String, isActive: Bool = true, hasOtherWay: Bool = false) -> PasskeyPerson {
        let number = name.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
        return PasskeyPerson(
            account: AccountID(UUIDBits(high: 0xA, low: number)),
            name: name,
            displayName: name,
            isActive: isActive,
            hasOtherWay: hasOtherWay
        )
    }
}

/// Notes what the audit and the owners are told.
struct NotedPasskeys: AuditLog, PasskeyNotices {
    func append(_ record: AuditRecord, in transaction: borrowing Transaction) throws {
        try MemoryNotes().append(record.event, in: transaction)
    }

    func notify(
        _ notice: PasskeyNotice,
        of account: AccountID,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws { try MemoryNotes().append("mail", in: transaction) }
}

/// Notes by which removed passkeys sessions were ended.
struct NotedPasskeyEnding: PasskeyEnding {
    static let prefix = "ended "

    func end(
        _ passkey: PasskeyID,
        of account: AccountID,
        except kept: SessionID?,
        in transaction: borrowing Transaction
    ) throws {
        let others = kept.map { " but \($0)" } ?? ""
        try MemoryNotes().append(Self.prefix + passkey.description + others, in: transaction)
    }

    func settle(removedPasskeyOf account: AccountID) async {}
}
