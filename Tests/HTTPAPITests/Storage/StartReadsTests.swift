import Accounts
import Crypto
import Devices
import Kernel
import Settings
import Synchronization
import Testing

@testable import Assembly
@testable import Operations

/// A start reads as many rows for an unknown address as for one with an account.
struct StartReadsTests {
    /// The proof that a start presents: Ada's own, or another person's.
    enum Presented: String, CaseIterable {
        case nothing, ownCookie, foreignCookie, ownCredential, foreignCredential, ownSignature, foreignSignature
        case everything

        var cookie: String? {
            switch self {
            case .ownCookie, .everything: "a cookie of Ada's"
            case .foreignCookie: "an outsider's cookie"
            case .nothing, .ownCredential, .foreignCredential, .ownSignature, .foreignSignature: nil
            }
        }

        var credential: String? {
            switch self {
            case .ownCredential, .everything: "a credential of Ada's"
            case .foreignCredential: "an outsider's credential"
            case .nothing, .ownCookie, .foreignCookie, .ownSignature, .foreignSignature: nil
            }
        }

        var signer: String? {
            switch self {
            case .ownSignature, .everything: "phone"
            case .foreignSignature: "an outsider's phone"
            case .nothing, .ownCookie, .foreignCookie, .ownCredential, .foreignCredential: nil
            }
        }
    }

    private static let key = P256.Signing.PrivateKey()
    private static let challenge = Digest256(sha256: "verifier")

    // T-027
    @Test(arguments: Presented.allCases)
    func `attack: a start makes the same database reads for every address`(_ presented: Presented) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            _ = try await harness.composition.accounts.disable("bob@example.com")
            try await link(Digest256(sha256: "a cookie of Ada's"), "ada@example.com", harness)
            try await register("ada@example.com", harness)
            var reads: [String: Reads] = [:]
            for (count, email) in [
                "ada@example.com", "bob@example.com", "nobody@example.com", "no address at all@",
            ].enumerated() {
                let stores = harness.composition.stores.people
                let links = CountingLinkStore(stores.devices.links)
                let devices = CountingDeviceStore(stores.devices.registered)
                let accounts = CountingAccountStore(stores.accounts)
                let query = try query(email, presented, count: Int64(count + 1), harness)
                let finding = try await finding(query, accounts, links, devices, harness)
                #expect((finding.subject != nil) == (email == "ada@example.com"), "\(email)")
                let isOwn = email == "ada@example.com"
                // A signature is recognised by its key.
                let held = [Presented.ownCookie, .ownCredential].contains(presented) ? 1 : 0
                #expect(finding.proven.count == (isOwn ? presented == .everything ? 2 : held : 0), "\(email)")
                reads[email] = Reads(
                    accounts: accounts.reads.withLock { $0 },
                    links: links.reads.withLock { $0 },
                    devices: devices.reads.withLock { $0 },
                    counts: devices.counts.withLock { $0 }
                )
            }
            let expected = Reads(
                accounts: 1,
                links: presented.cookie == nil ? 0 : 1,
                devices: (presented.credential == nil ? 0 : 1) + (presented.signer == nil ? 0 : 1),
                counts: presented.signer == "phone" ? 1 : 0
            )
            #expect(Set(reads.values) == [expected], "\(reads)")
        }
    }

    private struct Reads: Hashable {
        let accounts: Int
        let links: Int
        let devices: Int
        /// The number of times that a signature's count was written.
        let counts: Int
    }

    private func query(_ email: String, _ presented: Presented, count: Int64, _ harness: Harness) throws -> SubjectQuery
    {
        var signature: DeviceSignature?
        if let signer = presented.signer {
            let proof = DeviceKeyProof(
                name: signer,
                codeChallenge: Base64URL.encode(Self.challenge.bytes),
                count: count,
                signature: []
            )
            let signed = try Self.key.signature(for: Array(proof.signed(client: "bbms").utf8))
            signature = DeviceSignature(
                device: signer,
                codeChallenge: Self.challenge,
                count: count,
                bytes: Array(signed.derRepresentation)
            )
        }
        return SubjectQuery(
            email: email,
            provider: ProviderName("mock"),
            policy: try harness.settings.clientDirectory.client(named: nil, surface: "bbms"),
            deviceProof: DeviceProof(
                cookies: presented.cookie.map { [Digest256(sha256: $0)] } ?? [],
                credential: presented.credential.map { Digest256(sha256: $0) },
                signature: signature
            )
        )
    }

    private func finding(
        _ query: SubjectQuery,
        _ accounts: CountingAccountStore,
        _ links: CountingLinkStore,
        _ devices: CountingDeviceStore,
        _ harness: Harness
    ) async throws -> SubjectFinding {
        let (environment, unitOfWork) = (harness.composition.environment, harness.composition.unitOfWork)
        let stores = harness.composition.stores.people
        let subjects = LoginSubjectsAdapter(
            accounts: accounts,
            devices: DeviceLinks(environment: environment, unitOfWork: unitOfWork, store: links),
            registered: RegisteredDevices(environment: environment, store: devices, keys: stores.devices.keys),
            enrolments: stores.enrolments
        )
        return try await unitOfWork.run { try subjects.subject(for: query, in: $0) }
    }

    /// A phone of the account's, with a credential and a key.
    private func register(_ email: String, _ harness: Harness) async throws {
        let now = harness.composition.environment.now()
        let device = RegisteredDevice(
            id: DeviceID(UUIDBits(high: 0xD, low: 2)),
            account: try await harness.composition.accounts.show(email).account.id,
            name: DeviceName(client: "bbms", device: "phone"),
            credential: RegisteredDevice.Credential(digest: Digest256(sha256: "a credential of Ada's")),
            key: try DeviceKey(spki: Array(Self.key.publicKey.derRepresentation)),
            validity: DeviceValidity(createdAt: now, expiresAt: now + .seconds(1000))
        )
        let devices = harness.composition.stores.people.devices.registered
        try await harness.composition.unitOfWork.run { try devices.insert(device, in: $0) }
    }

    private func link(_ cookie: Digest256, _ email: String, _ harness: Harness) async throws {
        let now = harness.composition.environment.now()
        let link = DeviceLink(
            device: DeviceID(UUIDBits(high: 0xD, low: 1)),
            account: try await harness.composition.accounts.show(email).account.id,
            client: "bbms",
            cookie: cookie,
            methods: ["face"],
            lastSeenAt: now,
            validity: DeviceValidity(createdAt: now, expiresAt: now + .seconds(1000))
        )
        let links = harness.composition.stores.people.devices.links
        try await harness.composition.unitOfWork.run { try links.insert(link, in: $0) }
    }
}

/// The real store of accounts, and how often it is read.
private final class CountingAccountStore: AccountStore {
    let reads = Mutex(0)
    private let store: any AccountStore

    init(_ store: any AccountStore) { self.store = store }

    func insert(_ record: AccountRecord, in transaction: borrowing Transaction) throws {
        try store.insert(record, in: transaction)
    }

    func put(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws {
        try store.put(enrolment, of: account, in: transaction)
    }

    func find(_ id: AccountID) async throws -> AccountRecord? {
        reads.withLock { $0 += 1 }
        return try await store.find(id)
    }

    func find(email: EmailAddress) async throws -> AccountRecord? {
        reads.withLock { $0 += 1 }
        return try await store.find(email: email)
    }

    func account(named username: Username, in transaction: borrowing Transaction) throws -> AccountID? {
        reads.withLock { $0 += 1 }
        return try store.account(named: username, in: transaction)
    }

    func list(limit: Int) async throws -> [AccountRecord] {
        reads.withLock { $0 += 1 }
        return try await store.list(limit: limit)
    }

    func list(_ search: AccountSearch) async throws -> [AccountRecord] {
        reads.withLock { $0 += 1 }
        return try await store.list(search)
    }

    func profile(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        reads.withLock { $0 += 1 }
        return try store.profile(id, in: transaction)
    }

    func candidate(
        email: EmailAddress,
        provider: String,
        in transaction: borrowing Transaction
    ) throws -> LoginCandidate? {
        reads.withLock { $0 += 1 }
        return try store.candidate(email: email, provider: provider, in: transaction)
    }

    func setState(_ state: Account.State, of id: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        try store.setState(state, of: id, in: transaction)
    }

    func setDisplayName(_ name: String, of id: AccountID, in transaction: borrowing Transaction) throws {
        try store.setDisplayName(name, of: id, in: transaction)
    }

    func setAttribute(
        _ name: String,
        to value: String?,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        try store.setAttribute(name, to: value, of: id, in: transaction)
    }

    func passwordHash(of id: AccountID, in transaction: borrowing Transaction) throws -> Secret? {
        reads.withLock { $0 += 1 }
        return try store.passwordHash(of: id, in: transaction)
    }

    func setPasswordHash(_ hash: Secret?, of id: AccountID, in transaction: borrowing Transaction) throws {
        try store.setPasswordHash(hash, of: id, in: transaction)
    }

    func replaceEmails(with email: VerifiedEmail, of id: AccountID, in transaction: borrowing Transaction) throws {
        try store.replaceEmails(with: email, of: id, in: transaction)
    }

    func close(_ id: AccountID, in transaction: borrowing Transaction) throws {
        try store.close(id, in: transaction)
    }
}

/// The real store of device links, and how often it is read.
private final class CountingLinkStore: DeviceLinkStore {
    let reads = Mutex(0)
    private let store: any DeviceLinkStore

    init(_ store: any DeviceLinkStore) { self.store = store }

    func insert(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        try store.insert(link, in: transaction)
    }

    func find(
        cookies: [Digest256],
        account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        reads.withLock { $0 += 1 }
        return try store.find(cookies: cookies, account: account, client: client, in: transaction)
    }

    func find(_ device: DeviceID, account: AccountID, in transaction: borrowing Transaction) throws -> DeviceLink? {
        reads.withLock { $0 += 1 }
        return try store.find(device, account: account, in: transaction)
    }

    func prolong(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        try store.prolong(link, in: transaction)
    }

    func replace(_ old: Digest256, with link: DeviceLink, in transaction: borrowing Transaction) throws {
        try store.replace(old, with: link, in: transaction)
    }

    func revoke(
        _ device: DeviceID,
        of account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try store.revoke(device, of: account, at: now, in: transaction)
    }

    func revokeAll(
        of account: AccountID,
        except kept: DeviceID?,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try store.revokeAll(of: account, except: kept, at: now, in: transaction)
    }

    func forget(
        _ cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws { try store.forget(cookies, on: device, of: account, in: transaction) }

    func forget(
        allBut cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws { try store.forget(allBut: cookies, on: device, of: account, in: transaction) }
}

/// The real store of registered devices, how often it is read, and how often a count is taken.
private final class CountingDeviceStore: RegisteredDeviceStore {
    let reads = Mutex(0)
    let counts = Mutex(0)
    private let store: any OwnedDeviceStore

    init(_ store: any OwnedDeviceStore) { self.store = store }

    func insert(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws {
        try store.insert(device, in: transaction)
    }

    func find(credential: Digest256, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        reads.withLock { $0 += 1 }
        return try store.find(credential: credential, in: transaction)
    }

    func find(_ name: DeviceName, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        reads.withLock { $0 += 1 }
        return try store.find(name, in: transaction)
    }

    func find(_ device: DeviceID, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        reads.withLock { $0 += 1 }
        return try store.find(device, in: transaction)
    }

    func take(count: Int64, of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        counts.withLock { $0 += 1 }
        return try store.take(count: count, of: device, in: transaction)
    }

    func revoke(_ device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        try store.revoke(device, at: now, in: transaction)
    }
}
