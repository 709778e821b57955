import Accounts
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import Operations
import Sessions
import Settings
import SignIn
import Testing
import TokenReading
import Tokens
import Wire

@testable import Assembly
@testable import HTTPAPI

/// A session, and all claims of its two tokens.
struct MatrixSession: Sendable {
    let access: AccessClaims
    let refresh: RefreshClaims
}

/// A person for one cell, so that revoking, disabling or changing them touches no other cell.
struct MatrixPerson: Sendable {
    let number: Int
    let account: AccountID
    let email: String
    let session: MatrixSession
    /// The wallet session's phone, by the name that it gave itself, and by the server's id.
    let phone: String
    let device: DeviceID?
}

extension Harness {
    static let matrixPassword = "correct horse battery"
    /// The thumbprint of a key that does not exist.
    static let matrixKey = Digest256(sha256: "a key")

    /// A new person, signed in with that client.
    func matrixPerson(_ number: Int, _ row: MatrixCase) async throws -> MatrixPerson {
        let email = "p\(number)@example.com"
        let account = try await composition.accounts.add(
            NewAccount(
                email: email,
                name: "P\(number)",
                enroll: row.isEnrolled ? "mock" : nil,
                providerAccount: row.isEnrolled ? "enrolment of p\(number)" : nil
            )
        ).account.id
        if row.hasPassword { try await givePassword(account) }
        let phone = Self.matrixPhone(2 * number)
        let (session, device) = try await matrixSession(account, row.client, phone)
        return MatrixPerson(
            number: number,
            account: account,
            email: email,
            session: session,
            phone: phone,
            device: device
        )
    }

    /// A hash that takes next to no time: hundreds of passwords are compared here.
    private func givePassword(_ account: AccountID) async throws {
        let weak = ScryptParameters(rounds: 2, blockSize: 1, parallelism: 1)
        let hash = try await PasswordHasher(environment: composition.environment, parameters: weak)
            .hash(Secret(Self.matrixPassword))
        let passwords = composition.passwords
        let isSet = try await composition.unitOfWork.run { try passwords.set(hash, of: account, in: $0) }
        try #require(isSet)
    }

    static func matrixPhone(_ number: Int) -> String {
        UUIDBits(high: 0xA000_4000, low: 0x8000_0000_0000_0000 + UInt64(number)).description
    }

    /// A session of the account with that client: of the wallet's on a phone that becomes the account's.
    func matrixSession(
        _ account: AccountID,
        _ client: String,
        _ phone: String
    ) async throws -> (session: MatrixSession, device: DeviceID?) {
        let policy = try settings.clientDirectory.client(named: client, surface: nil)
        // By a mailed code: a password alone, or a key of today, replaces no face and no address.
        var origin = SignInOrigin()
        if client == "mwsim" {
            let registered = try await registerPhone(phone).decode(DeviceRegistrationResponse.self)
            origin.name = phone
            origin.registration = DeviceRegistration(
                name: DeviceName(client: client, device: phone),
                label: "",
                platform: nil,
                credential: Digest256(sha256: registered.deviceCredential)
            )
        }
        let request = SignInRequest(account: account, proof: .mailedCode, policy: policy, device: origin)
        let opened = try await composition.unitOfWork.run { [door = composition.door] in
            try door.open(request, in: $0)
        }
        let claims = try #require(opened).claims
        let device = try await composition.sessions.find(claims.session)?.linkedDevice?.id
        return (Self.matrixSession(claims, policy), device)
    }

    static func matrixSession(_ claims: SessionClaims, _ policy: ClientPolicy) -> MatrixSession {
        MatrixSession(
            access: AccessClaims(
                account: claims.account,
                audience: policy.audience,
                clientID: policy.clientID,
                session: claims.session,
                deviceID: claims.deviceID,
                tokenID: claims.accessTokenID.description,
                issuedAt: claims.issuedAt,
                expiresAt: claims.issuedAt + policy.accessTokenLifetime,
                authenticatedAt: claims.authentication.at,
                methods: claims.authentication.methods,
                contextClass: nil
            ),
            refresh: RefreshClaims(
                account: claims.account,
                session: claims.session,
                deviceID: claims.deviceID,
                tokenID: claims.refreshTokenID.description,
                issuedAt: claims.issuedAt,
                expiresAt: claims.issuedAt + policy.refreshTokenLifetime
            )
        )
    }

    /// The session of these tokens.
    func matrixSession(_ tokens: LoginTokens) throws -> MatrixSession {
        let now = composition.environment.now()
        return MatrixSession(
            access: try verifier.verifyAccess(tokens.accessToken, audiences: audiences, now: now),
            refresh: try verifier.verifyRefresh(tokens.refreshToken, now: now)
        )
    }

    /// A session that the account's owner gave a client that is not in the config.
    func thirdPartySession(like session: MatrixSession) async throws -> MatrixSession {
        try await openSession(like: session, client: "shop", proofKey: nil)
    }

    /// A session of the same client whose tokens are bound to a key.
    func boundSession(like session: MatrixSession) async throws -> MatrixSession {
        try await openSession(like: session, client: session.access.clientID, proofKey: Self.matrixKey)
    }

    private func openSession(
        like session: MatrixSession,
        client: String,
        proofKey: Digest256?
    ) async throws -> MatrixSession {
        let now = composition.environment.now()
        let tokenID = composition.environment.newUUID().description
        let opened = Session(
            id: composition.environment.newID(),
            account: session.access.account,
            client: client,
            linkedDevice: nil,
            createdAt: now,
            authentication: Session.Authentication(at: now, methods: ["pwd"]),
            tokenBinding: Session.TokenBinding(key: proofKey)
        )
        let order = NewSession(
            session: opened,
            refreshKey: refreshRowKey(tokenID),
            refreshExpiresAt: now + .seconds(3600)
        )
        try await composition.unitOfWork.run { [sessions = composition.sessions] in try sessions.open(order, in: $0) }
        return MatrixSession(
            access: session.access.changed(
                client: client,
                session: opened.id,
                confirmation: proofKey.map { KeyID($0) }
            ),
            refresh: RefreshClaims(
                account: opened.account,
                session: opened.id,
                deviceID: nil,
                tokenID: tokenID,
                issuedAt: now,
                expiresAt: now + .seconds(3600)
            )
        )
    }
}

extension AccessClaims {
    /// The same but for the named claims; `age`: issued, and expiring, that much earlier.
    func changed(
        audience: String? = nil,
        client: String? = nil,
        session: SessionID? = nil,
        age: Duration = .zero,
        sinceSignIn: Duration = .zero,
        confirmation: KeyID? = nil,
        scopes: Set<String>? = nil
    ) -> AccessClaims {
        AccessClaims(
            account: account,
            audience: audience ?? self.audience,
            clientID: client ?? clientID,
            session: session ?? self.session,
            deviceID: deviceID,
            tokenID: tokenID,
            issuedAt: issuedAt - age,
            expiresAt: expiresAt - age,
            authenticatedAt: authenticatedAt - sinceSignIn,
            methods: methods,
            contextClass: contextClass,
            confirmation: confirmation ?? self.confirmation,
            scopes: scopes ?? self.scopes
        )
    }
}
