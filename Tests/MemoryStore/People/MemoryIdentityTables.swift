import Accounts
import Devices
package import Kernel
import OAuth
package import Sessions

/// The rows of people, of their devices and of their sessions.
///
/// `origin` names the session that a row was set up in.
package struct MemoryIdentityTables: Sendable {
    var accounts: [AccountID: MemoryAccount] = [:]
    var deviceLinks: [DeviceLink] = []
    var devices: [DeviceID: MemoryDevice] = [:]
    var passkeyOrigins: [PasskeyID: SessionID] = [:]
    package var sessions: [SessionID: MemorySignIn] = [:]
    package var refreshTokens: [Digest256: RefreshToken] = [:]
    var descents: [MemoryDescent] = []
    var browsers: [Digest256: WebSession] = [:]
    /// When the last session was opened that is to end with its client.
    var clientEndings: [String: Instant] = [:]
    /// Up to when expired sessions are noted.
    var expiriesNotedUntil: Instant?
}

/// An account with all that is the account's alone.
struct MemoryAccount: Sendable {
    let id: AccountID
    let createdAt: Instant
    var username: Username?
    var displayName: String
    var state: Account.State
    var attributes: [String: String]
    var emails: [VerifiedEmail]
    var claim: EmailAddress?
    var claimedAt: Instant
    var passwordHash: Secret?
    var passwordOrigin: SessionID?
    /// The faces by the names of their providers.
    var faces: [String: MemoryFace]

    init(_ record: AccountRecord) {
        id = record.account.id
        createdAt = record.account.createdAt
        username = record.username
        displayName = record.account.displayName
        state = record.account.state
        attributes = record.account.attributes.given
        emails = record.emails
        claim = record.claim
        claimedAt = createdAt
        passwordHash = record.passwordHash
        faces = Dictionary(record.enrolments.map { ($0.provider, MemoryFace(enrolment: $0)) }) { first, _ in first }
    }

    var record: AccountRecord {
        AccountRecord(
            account: Account(
                id: id,
                displayName: displayName,
                state: state,
                attributes: AccountAttributes(attributes),
                createdAt: createdAt
            ),
            emails: emails.sorted { $0.address.text < $1.address.text },
            username: username,
            claim: claim,
            enrolments: faces.values.map(\.enrolment).sorted { $0.provider < $1.provider },
            passwordHash: passwordHash
        )
    }
}

/// An account's face at a provider.
struct MemoryFace: Sendable {
    var enrolment: Enrolment
    var origin: SessionID?
    /// How the person had signed in who set it up.
    var originMethods: [String]?

    /// Puts the face in force, or withdraws it.
    mutating func setActive(_ isActive: Bool) {
        enrolment = Enrolment(
            provider: enrolment.provider,
            reference: enrolment.reference,
            isActive: isActive,
            version: enrolment.version + 1
        )
    }
}

/// A registered device with all that belongs to it.
struct MemoryDevice: Sendable {
    var device: RegisteredDevice
    var revokedAt: Instant?
    var lastUsedAt: Instant?
    var origin: SessionID?
    var credentialOrigin: SessionID?
    var key: DeviceKeyRecord?
    var keyOrigin: SessionID?
    var counts: [Int64] = []
    var challenge: DeviceChallenge?
    var pushToken: String?
    var pushTokenOrigin: SessionID?

    /// The device with the key that it has now.
    var whole: RegisteredDevice {
        RegisteredDevice(
            id: device.id,
            account: device.account,
            name: device.name,
            label: device.label,
            platform: device.platform,
            credential: device.credential,
            key: key?.key,
            validity: DeviceValidity(
                createdAt: device.validity.createdAt,
                expiresAt: device.validity.expiresAt,
                revokedAt: revokedAt
            )
        )
    }
}

/// A session with the face that opened it.
package struct MemorySignIn: Sendable {
    package var session: Session
    var face: String?
    var expiryNotedAt: Instant?
}

/// A session that descends from another.
struct MemoryDescent: Sendable {
    let session: SessionID
    let origin: SessionID
    /// Whether it was opened by a means that was set up in the other, and not out of it.
    var isByMeans: Bool
}

extension MemoryIdentityTables {
    /// Links a session to another, and to all that this one descends from.
    mutating func link(_ session: SessionID, to origin: SessionID, byMeans: Bool) {
        guard session != origin else { return }
        let further = descents.filter { $0.session == origin && $0.origin != session }
        let links =
            [MemoryDescent(session: session, origin: origin, isByMeans: byMeans)]
            + further.map {
                MemoryDescent(session: session, origin: $0.origin, isByMeans: $0.isByMeans || byMeans)
            }
        for link in links {
            if let index = descents.firstIndex(where: { $0.session == session && $0.origin == link.origin }) {
                descents[index].isByMeans = descents[index].isByMeans && link.isByMeans
            } else {
                descents.append(link)
            }
        }
    }

    /// Links a session to those in which the means were set up that it was opened with.
    mutating func linkToMeans(_ session: Session) {
        if let origin = session.authentication.passkey.flatMap({ passkeyOrigins[$0] }) {
            link(session.id, to: origin, byMeans: true)
        }
        if session.authentication.methods.contains("pwd"), let origin = accounts[session.account]?.passwordOrigin {
            link(session.id, to: origin, byMeans: true)
        }
        if session.tokenBinding.proof == .deviceKey,
            let origin = (session.linkedDevice?.id).flatMap({ devices[$0]?.keyOrigin })
        {
            link(session.id, to: origin, byMeans: true)
        }
    }
}

extension MemoryTables {
    /// Deletes the session, and what goes with it.
    mutating func dropSession(_ id: SessionID) {
        identity.sessions[id] = nil
        identity.descents.removeAll { $0.session == id }
        for (cookie, browser) in identity.browsers where browser.session == id { identity.browsers[cookie] = nil }
        for (key, token) in identity.refreshTokens where token.session == id { identity.refreshTokens[key] = nil }
        oauthGrants[id] = nil
    }

    /// Deletes the passkey, and the authorizations that rest on it.
    mutating func dropPasskey(_ id: PasskeyID) {
        passkeys[id] = nil
        identity.passkeyOrigins[id] = nil
        interactions.removeAll { $0.proven?.authentication.passkey == id }
        for (digest, code) in authorizationCodes where code.grant.authentication.passkey == id {
            authorizationCodes[digest] = nil
        }
        deviceAuthorizations.removeAll { $0.approval?.authentication.passkey == id }
    }
}

extension DeviceAuthorization {
    /// The approval of a request that is approved and not redeemed.
    var approval: Approval? { if case .approved(let approval) = state { approval } else { nil } }

    /// The request after it was denied; its approval is forgotten.
    var denied: DeviceAuthorization {
        DeviceAuthorization(
            deviceCode: deviceCode,
            userCode: userCode,
            access: access,
            source: source,
            origin: origin,
            state: .denied,
            createdAt: createdAt,
            expiresAt: expiresAt
        )
    }
}
