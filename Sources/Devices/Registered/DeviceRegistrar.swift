package import Kernel

/// A device that registers itself.
package struct DeviceRegistration: Sendable, Equatable {
    /// The client, and the id that the device gave itself: a UUID.
    package let name: DeviceName
    package let label: String
    package let platform: RegisteredDevice.Platform?
    package let pushToken: Secret?
    /// SHA-256 of the credential that the request presents.
    package let credential: Digest256?

    package init(
        name: DeviceName,
        label: String,
        platform: RegisteredDevice.Platform?,
        pushToken: Secret? = nil,
        credential: Digest256? = nil
    ) {
        self.name = name
        self.label = label
        self.platform = platform
        self.pushToken = pushToken
        self.credential = credential
    }
}

/// The caller who registers a device: a signed-in person, or anybody.
package enum Registrant: Sendable, Equatable {
    case anybody
    /// A person signed in with that session.
    ///
    /// `isFresh`: whether the sign-in was within the last ten minutes. `on`: the device that the session proved to be
    /// on.
    case person(AccountID, isFresh: Bool, session: SessionID, on: DeviceID?)

    var session: SessionID? { if case .person(_, _, let session, _) = self { session } else { nil } }
}

/// The device of a sign-in.
package struct SignInDevice: Sendable, Equatable {
    package let id: DeviceID
    /// Whether the sign-in proved to be on the device, or made it the account's, instead of only naming it.
    package let isProven: Bool

    package init(id: DeviceID, isProven: Bool) {
        self.id = id
        self.isProven = isProven
    }
}

/// The outcome of a registration.
package enum RegistrationOutcome: Sendable, Equatable {
    /// The credential is returned only here: the database has only its digest.
    case registered(credential: Secret, expiresAt: Instant)
    /// The device has an owner, and the caller did not prove to be that owner.
    case taken
    /// The owner makes the request, but without a recent sign-in.
    case stepUpRequired
    /// The owner has ``DeviceRegistrar/mostOwned`` devices already.
    case tooMany
}

/// Registers devices, and gives them owners.
///
/// A device's id is not a secret: until a person has signed in on the device, anyone can name it, and it proves
/// nothing.
package struct DeviceRegistrar: Sendable {
    /// The lifetime of a credential.
    package static let lifetime: Duration = .seconds(90 * 24 * 3600)
    /// The largest number of live devices of an account.
    package static let mostOwned = 50
    /// How long a device waits for an owner.
    package static let ownerless: Duration = .seconds(24 * 3600)

    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let store: any OwnedDeviceStore
    private let encryptor: any Encryptor
    private let auditLog: any AuditLog
    private let notices: any DeviceNotices
    private let origins: any DeviceOrigins

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        store: any OwnedDeviceStore,
        encryptor: any Encryptor,
        auditLog: any AuditLog,
        notices: any DeviceNotices,
        origins: any DeviceOrigins
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
        self.encryptor = encryptor
        self.auditLog = auditLog
        self.notices = notices
        self.origins = origins
    }

    /// Registers the device, or registers it again, always with a new credential instead of the previous one.
    ///
    /// `requester`: the person behind the request, for a notice. The owner is told when a session gives a device its first
    /// credential, or replaces a credential without presenting it.
    package func register(
        _ request: DeviceRegistration,
        by registrant: Registrant,
        requester: Requester
    ) async throws -> RegistrationOutcome {
        try await unitOfWork.run { transaction in
            try register(request, by: active(registrant, in: transaction), requester: requester, in: transaction)
        }
    }

    /// Returns `.anybody` for a person whose session ended after the request was admitted.
    private func active(_ registrant: Registrant, in transaction: borrowing Transaction) throws -> Registrant {
        guard case .person(let account, _, let session, _) = registrant else { return registrant }
        return try origins.isOpen(session, of: account, in: transaction) ? registrant : .anybody
    }

    private func register(
        _ request: DeviceRegistration,
        by registrant: Registrant,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws -> RegistrationOutcome {
        let now = environment.now()
        let found = try store.find(request.name, in: transaction)
        guard let found, found.validity.revokedAt == nil, let owner = found.account else {
            if let found { try store.delete(found.id, in: transaction) }
            return try begin(request, by: registrant, requester: requester, at: now, in: transaction)
        }
        let isProven =
            found.validity.isLive(at: now) && request.credential != nil
            && request.credential == found.credential?.digest
        if !isProven {
            guard case .person(owner, let isFresh, _, _) = registrant else {
                guard !found.validity.isLive(at: now) else { return .taken }
                try store.delete(found.id, in: transaction)
                return try begin(request, by: registrant, requester: requester, at: now, in: transaction)
            }
            // A credential proves the device for months: a leaked token must not be enough to get one.
            guard isFresh else { return .stepUpRequired }
            if found.credential == nil {
                try notices.notify(
                    .credentialAdded,
                    of: owner,
                    client: request.name.client,
                    requester: requester,
                    in: transaction
                )
            } else {
                try notices.notify(
                    .credentialReplaced,
                    of: owner,
                    client: request.name.client,
                    requester: requester,
                    in: transaction
                )
            }
        }
        let wasProven = isProven && found.credential?.isUnproven == false
        let isUnproven = try !wasProven && !isOn(found.id, of: owner, by: registrant, in: transaction)
        let outcome = try renew(found, by: request, isUnproven: isUnproven, at: now, in: transaction)
        // The session is the origin if it created or confirmed the credential. Otherwise the holder of the previous
        // credential set the push token.
        guard !isProven || wasProven == isUnproven, let session = registrant.session else {
            if request.pushToken != nil { try origins.notePushTokenByCredential(of: found.id, in: transaction) }
            return outcome
        }
        try noteProofs(of: found.id, owner, by: request, from: session, in: transaction)
        return outcome
    }

    /// Whether the session proved to be on the device, or registered it.
    private func isOn(
        _ device: DeviceID,
        of owner: AccountID,
        by registrant: Registrant,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard case .person(let account, _, let session, let on) = registrant, account == owner else { return false }
        return try on == device || origins.isRegistered(device, of: account, in: session, in: transaction)
    }

    /// Creates the device with a new credential.
    private func begin(
        _ request: DeviceRegistration,
        by registrant: Registrant,
        requester: Requester,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> RegistrationOutcome {
        let credential = environment.newSecret()
        var owner: AccountID?
        if case .person(let account, isFresh: true, _, _) = registrant {
            guard try isBelowLimit(account, now, in: transaction) else { return .tooMany }
            owner = account
        }
        var device = device(request, of: owner, now)
        device.credential = RegisteredDevice.Credential(digest: Digest256(sha256: credential))
        try store.insert(device, in: transaction)
        if let account = device.account {
            try auditLog.append(AuditRecord(DeviceAuditEvent.owned, of: device.id, account: account), in: transaction)
            try notices.notify(
                .credentialAdded,
                of: account,
                client: request.name.client,
                requester: requester,
                in: transaction
            )
        }
        try keep(request.pushToken, of: device.id, in: transaction)
        if let account = device.account, let session = registrant.session {
            try origins.note(.registration, of: device.id, account, from: session, in: transaction)
            try noteProofs(of: device.id, account, by: request, from: session, in: transaction)
        }
        return .registered(credential: credential, expiresAt: device.validity.expiresAt)
    }

    private func noteProofs(
        of device: DeviceID,
        _ account: AccountID,
        by request: DeviceRegistration,
        from session: SessionID,
        in transaction: borrowing Transaction
    ) throws {
        try origins.note(.credential, of: device, account, from: session, in: transaction)
        guard request.pushToken != nil else { return }
        try origins.note(.pushToken, of: device, account, from: session, in: transaction)
    }

    private func isBelowLimit(
        _ account: AccountID,
        _ now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try store.count(of: account, at: now, in: transaction) < Self.mostOwned
    }

    private func renew(
        _ found: RegisteredDevice,
        by request: DeviceRegistration,
        isUnproven: Bool,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> RegistrationOutcome {
        let credential = environment.newSecret()
        var device = found
        device.credential = RegisteredDevice.Credential(digest: Digest256(sha256: credential), isUnproven: isUnproven)
        device.label = request.label
        device.platform = request.platform ?? found.platform
        device.validity.expiresAt = now + Self.lifetime
        try store.update(device, in: transaction)
        try keep(request.pushToken, of: device.id, in: transaction)
        return .registered(credential: credential, expiresAt: device.validity.expiresAt)
    }

    private func keep(_ token: Secret?, of device: DeviceID, in transaction: borrowing Transaction) throws {
        guard let token else { return }
        let encrypted = try encryptor.encrypt(token, as: .pushToken(of: device))
        try store.put(pushToken: encrypted, of: device, at: environment.now(), in: transaction)
    }

    private func device(_ request: DeviceRegistration, of account: AccountID?, _ now: Instant) -> RegisteredDevice {
        RegisteredDevice(
            id: account.map { environment.newID(of: $0) } ?? environment.newID(),
            account: account,
            name: request.name,
            label: request.label,
            platform: request.platform,
            credential: nil,
            key: nil,
            validity: DeviceValidity(createdAt: now, expiresAt: now + Self.lifetime)
        )
    }
}

// Sign-ins on a device.
extension DeviceRegistrar {
    /// Whether a person may sign in on a device of that name: it is registered, and neither expired nor revoked.
    package func isRegistered(_ name: DeviceName, in transaction: borrowing Transaction) throws -> Bool {
        try store.find(name, in: transaction)?.validity.isLive(at: environment.now()) ?? false
    }

    /// Makes the device of a sign-in the account's, in the unit of work of the sign-in.
    ///
    /// A device without an owner gets the account as its owner. An unregistered device is registered if the request
    /// names its platform. An ended device of the account is registered again, under its previous name but without its
    /// proofs. Verifying an address on the phone that opened the account ends those proofs, and the person still uses
    /// that phone.
    ///
    /// If the credential does not prove a device without an owner, its credential and push token become void. An
    /// attacker may have registered it under the same name before.
    ///
    /// A device that is already the account's is not proven by its name, which an attacker with the password can give
    /// too. The session is on the device nevertheless, so that it ends when the owner revokes the device.
    ///
    /// `requester`: the person behind the request, for a notice that the device keeps the presented credential and is proven
    /// by it from now on. `nil` sends none, because the account was just opened.
    ///
    /// - Returns: `nil` for another account's device, which a name alone does not transfer, for an unregistered device,
    ///   and for an account with ``mostOwned`` devices. The sign-in then continues without a device.
    package func signIn(
        _ account: AccountID,
        on request: DeviceRegistration,
        requester: Requester?,
        opening session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> SignInDevice? {
        let now = environment.now()
        let found = try store.find(request.name, in: transaction)
        guard let found, found.validity.isLive(at: now) else {
            let former = found?.account == account ? found : nil
            guard let platform = request.platform ?? former?.platform, try isBelowLimit(account, now, in: transaction)
            else {
                return nil
            }
            if let found { try store.delete(found.id, in: transaction) }
            var made = device(request, of: account, now)
            made.platform = platform
            if made.label.isEmpty, let former { made.label = former.label }
            try store.insert(made, in: transaction)
            return try own(made.id, account, opening: session, in: transaction)
        }
        if let owner = found.account {
            guard owner == account else { return nil }
            try store.noteSignIn(on: found.id, at: now, in: transaction)
            let isShown = request.credential != nil && request.credential == found.credential?.digest
            return SignInDevice(id: found.id, isProven: isShown && found.credential?.isUnproven == false)
        }
        guard try isBelowLimit(account, now, in: transaction) else { return nil }
        var owned = found
        owned.account = account
        if request.credential == nil || request.credential != found.credential?.digest {
            owned.credential = nil
            try store.dropPushToken(of: found.id, in: transaction)
        } else if let requester {
            try notices.notify(
                .credentialAdded,
                of: account,
                client: request.name.client,
                requester: requester,
                in: transaction
            )
        }
        try store.update(owned, in: transaction)
        return try own(found.id, account, opening: session, in: transaction)
    }

    private func own(
        _ device: DeviceID,
        _ account: AccountID,
        opening session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> SignInDevice {
        try origins.note(.registration, of: device, account, from: session, in: transaction)
        try auditLog.append(AuditRecord(DeviceAuditEvent.owned, of: device, account: account), in: transaction)
        try store.noteSignIn(on: device, at: environment.now(), in: transaction)
        return SignInDevice(id: device, isProven: true)
    }
}
