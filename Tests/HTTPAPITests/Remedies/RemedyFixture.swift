import Accounts
import Crypto
import Devices
import Foundation
import GRDB
import Kernel
import OAuth
import Operations
import SignIn
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI
@testable import Storage

/// An account with two people in it, the owner and somebody else, who each have everything that can come of a sign-in.
struct RemedyFixture: Sendable {
    /// What one of the two has.
    struct Person: Sendable {
        let signedIn: SignedInPersonOfTest
        let session: SessionID
        let passkey: PasskeyID
        let device: DeviceID
        /// The OAuth client's session, opened out of the person's own.
        let grant: SessionID
        let approval: StartedApproval
        let number: Int
        let provider: String
    }

    let harness: Harness
    let account: AccountID
    let owner: Person
    let other: Person

    /// The OAuth client of all grants.
    static let client = "app"

    init(_ harness: Harness) async throws {
        self.harness = harness
        account = try await harness.composition.accounts.show("ada@example.com").account.id
        let (_, first) = try await harness.addPasskey()
        let (_, second) = try await harness.addPasskey()
        owner = try await Self.furnish(second, 2, at: "elsewhere", of: account, harness)
        // Last, so that the password is theirs.
        other = try await Self.furnish(first, 1, at: "mock", of: account, harness)
    }

    static func session(of person: SignedInPersonOfTest) throws -> SessionID {
        try session(of: person.tokens.accessToken)
    }

    static func session(of accessToken: String) throws -> SessionID {
        let identifier = try #require(TokenFixture.claims(accessToken)["sid"] as? String)
        return try #require(SessionID(parsing: identifier))
    }

    // MARK: What there is

    private static func furnish(
        _ signedIn: SignedInPersonOfTest,
        _ number: Int,
        at provider: String,
        of account: AccountID,
        _ harness: Harness
    ) async throws -> Person {
        let session = try session(of: signedIn)
        let (environment, database) = (harness.composition.environment, try harness.database)
        let passkey = try await database.pool.read { reader in
            try String.fetchOne(
                reader,
                sql: "SELECT id FROM passkeys WHERE origin = ?",
                arguments: [session.description]
            )
        }
        let person = Person(
            signedIn: signedIn,
            session: session,
            passkey: try #require(passkey.flatMap { PasskeyID(parsing: $0) }, "a passkey is linked to its session"),
            device: environment.newID(),
            grant: try await openGrant(of: session, account, harness),
            approval: try await harness.askApproval(signedIn),
            number: number,
            provider: provider
        )
        try await addDevice(of: person, account, harness)
        try await database.pool.write { writer in
            for (sql, arguments) in rows(of: person, account, at: environment.now()) {
                try writer.execute(sql: sql, arguments: StatementArguments(arguments))
            }
        }
        return person
    }

    /// Opens the client's session by a grant that was made in the person's own.
    private static func openGrant(
        of session: SessionID,
        _ account: AccountID,
        _ harness: Harness
    ) async throws -> SessionID {
        let composition = harness.composition
        let grant = AuthorizedGrant(
            account: account,
            clientID: client,
            scopes: ScopeSet(["openid"]),
            resources: [],
            authentication: AuthenticationContext(
                methods: ["face"],
                at: composition.environment.now(),
                session: session
            )
        )
        return try await composition.unitOfWork.run { [door = composition.door] transaction in
            try door.open(grant, client: TokenFixture.client(client), key: nil, in: transaction).session
        }
    }

    /// Registers a device with its key and push token in the person's session.
    private static func addDevice(of person: Person, _ account: AccountID, _ harness: Harness) async throws {
        let composition = harness.composition
        let (environment, descents) = (composition.environment, composition.descents)
        let key = try DeviceKey(spki: Array(P256.Signing.PrivateKey().publicKey.derRepresentation))
        let device = RegisteredDevice(
            id: person.device,
            account: account,
            name: DeviceName(client: "mwsim", device: "00000000-0000-4000-8000-00000000000\(person.number)"),
            credential: RegisteredDevice.Credential(digest: Digest256(sha256: "credential \(person.number)")),
            key: nil,
            validity: DeviceValidity(createdAt: environment.now(), expiresAt: environment.now() + .seconds(86_400))
        )
        try await composition.unitOfWork.run { [store = composition.stores.people.devices.registered] transaction in
            try store.insert(device, in: transaction)
            try composition.stores.people.devices.keys.put(
                DeviceKeyRecord(key: key, biometric: .face, createdAt: environment.now()),
                of: device.id,
                in: transaction
            )
            try store.put(
                pushToken: String(repeating: "x", count: 40),
                of: device.id,
                at: environment.now(),
                in: transaction
            )
            for part: Descendant in [
                .device(device.id), .deviceCredential(device.id), .deviceKey(device.id), .pushToken(device.id),
            ] { try descents.note(part, of: account, from: person.session, in: transaction) }
        }
    }

    private typealias Row = (sql: String, arguments: [(any DatabaseValueConvertible)?])

    /// What is written as it would be, with the link to the person's session.
    private static func rows(of person: Person, _ account: AccountID, at now: Instant) -> [Row] {
        let (owner, session) = (account.description, person.session.description)
        let digest = { (name: String) in Data(Digest256(sha256: "\(name) \(person.number)").bytes) }
        let (at, end) = (now.milliseconds, now.milliseconds + 600_000)
        return [
            (
                "UPDATE sessions SET device = ?, passkey = ?, binding = ?, face = ? WHERE id = ?",
                [
                    person.device.description, person.passkey.description, person.number == 2 ? "device-key" : "none",
                    "\(person.provider) face \(person.number) 1", session,
                ]
            ),
            (
                """
                INSERT INTO web_sessions (cookie, session, is_alone, created_at, seen_at, expires_at)
                VALUES (?, ?, 1, ?, ?, ?)
                """,
                [digest("cookie"), session, at, at, end]
            ),
            (
                """
                INSERT INTO oauth_interactions (number, id, browser, client, redirect_uri, names_redirect_uri,
                    response_mode, scopes, resources, prompts, is_context_class_essential, account, methods,
                    authenticated_at, origin, created_at, expires_at)
                VALUES (?, ?, ?, 'app', 'https://app.example.com/', 1, 'query', 'openid', '', '', 0, ?, 'face', ?, ?, ?, ?)
                """,
                [person.number, digest("interaction"), digest("browser"), owner, at, session, at, end]
            ),
            (
                """
                INSERT INTO oauth_codes (digest, account, client, scopes, resources, methods, authenticated_at, origin,
                    redirect_uri, names_redirect_uri, issued_at, expires_at)
                VALUES (?, ?, 'app', 'openid', '', 'face', ?, ?, 'https://app.example.com/', 1, ?, ?)
                """,
                [digest("code"), owner, at, session, at, end]
            ),
            (
                """
                INSERT INTO device_authorizations (number, device_code, user_code, client, scopes, resources, source,
                    origin_address, origin_agent, state, account, methods, authenticated_at, origin, created_at, expires_at)
                VALUES (?, ?, ?, 'app', 'openid', '', ?, '', '', 'approved', ?, 'face', ?, ?, ?, ?)
                """,
                [
                    person.number, digest("device code"), digest("user code"), digest("source"), owner, at, session, at,
                    end,
                ]
            ),
            (
                """
                INSERT INTO oauth_consents (account, client, origin, scopes, resources, granted_at, expires_at)
                VALUES (?, 'app', ?, 'openid', '', ?, ?)
                """,
                [owner, session, at, end]
            ),
            // So that it has cooled off, and is the oldest.
            ("UPDATE passkeys SET created_at = ? WHERE id = ?", [0, person.passkey.description]),
            ("DELETE FROM enrolments WHERE account = ? AND provider = ?", [owner, person.provider]),
            (
                """
                INSERT INTO enrolments (account, provider, reference, state, origin, origin_methods, version)
                VALUES (?, ?, ?, 'active', ?, 'pwd', 1)
                """,
                [owner, person.provider, "face \(person.number)", session]
            ),
            ("UPDATE accounts SET password_hash = 'of somebody', password_origin = ? WHERE id = ?", [session, owner]),
            (
                """
                INSERT INTO email_codes (id, account, address, client, device, digits, link, created_at, expires_at,
                    wrong_tries)
                VALUES (?, ?, ?, 'mwsim', ?, ?, ?, ?, ?, 0)
                """,
                [
                    person.grant.description, owner, digest("address"), "phone \(person.number)", digest("digits"),
                    digest("link"), at, end,
                ]
            ),
            (
                """
                INSERT INTO wallet_banks (account, bank, name, access_token, enrolled_at, version)
                VALUES (?, ?, 'Bank', 'sealed', ?, 1)
                """,
                [owner, "bank \(person.number)", at]
            ),
        ]
    }
}
