package import Kernel

/// The use cases of device keys: setting one up, issuing challenges, and checking signatures.
///
/// The device checks its owner's face or finger before it signs. The server only sees the signature.
package struct DeviceKeyService: Sendable {
    /// The lifetime of a challenge.
    package static let challengeLifetime: Duration = .seconds(300)
    /// The remaining time below which a new challenge is made: a person needs time to sign.
    private static let timeToSign: Duration = .seconds(150)

    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let devices: any OwnedDeviceStore
    private let keys: any DeviceKeyStore
    private let auditLog: any AuditLog
    private let notices: any DeviceNotices
    private let origins: any DeviceOrigins

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        devices: any OwnedDeviceStore,
        keys: any DeviceKeyStore,
        auditLog: any AuditLog,
        notices: any DeviceNotices,
        origins: any DeviceOrigins
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.devices = devices
        self.keys = keys
        self.auditLog = auditLog
        self.notices = notices
        self.origins = origins
    }

    /// Returns the challenge for the device of that name; `nil` if the device can't sign in by a key.
    ///
    /// The caller need not be the device. So an open challenge stays open and is issued again: another caller can't
    /// void the challenge that the device is signing.
    package func challenge(for name: DeviceName) async throws -> DeviceChallenge? {
        try await unitOfWork.run { transaction in
            guard let device = try owned(name, in: transaction),
                try keys.key(of: device.id, in: transaction) != nil
            else { return nil }
            let now = environment.now()
            if let open = try keys.challenge(of: device.id, in: transaction), open.isOpen(at: now),
                open.expiresAt - now >= Self.timeToSign
            {
                return open
            }
            let fresh = DeviceChallenge(
                device: device.id,
                value: Digest256(randomFrom: environment),
                expiresAt: now + Self.challengeLifetime
            )
            try keys.put(fresh, in: transaction)
            return fresh
        }
    }

    /// Checks a signature over a challenge, and uses nothing up yet.
    package func check(_ answer: ChallengeAnswer) async throws -> ChallengeVerdict {
        let found = try await unitOfWork.read { transaction -> Signer? in try signer(answer, in: transaction) }
        guard let found else { return .notEnabled }
        guard let challenge = found.challenge, challenge.text == answer.challenge,
            found.record.key.verifies(answer)
        else { return .refused }
        guard challenge.usedAt == nil else {
            try await noteCloneSign(found)
            return .refused
        }
        guard challenge.isOpen(at: environment.now()) else { return .refused }
        return .proven(
            ProvenDevice(
                device: found.device.id,
                name: found.device.name.device,
                account: found.account,
                biometric: found.record.biometric,
                key: found.record.key,
                challenge: challenge.value
            )
        )
    }

    /// Uses the challenge up, in the unit of work of the sign-in.
    ///
    /// - Returns: `false` if a concurrent request was faster, the device has ended, or its key was replaced.
    package func redeem(_ proven: ProvenDevice, in transaction: borrowing Transaction) throws -> Bool {
        let now = environment.now()
        guard let device = try devices.find(proven.device, in: transaction), device.validity.isLive(at: now),
            device.account == proven.account, device.key == proven.key,
            try keys.use(proven.challenge, of: proven.device, at: now, in: transaction)
        else { return false }
        try keys.noteUse(of: proven.device, at: now, in: transaction)
        try devices.noteSignIn(on: proven.device, at: now, in: transaction)
        return true
    }

    /// Whether the account's device can sign in by a key.
    package func hasKey(_ device: DeviceID, of account: AccountID) async throws -> Bool {
        try await unitOfWork.read { [devices, environment] transaction in
            guard let found = try devices.find(device, in: transaction) else { return false }
            return found.account == account && found.validity.isLive(at: environment.now()) && found.key != nil
        }
    }

    /// Returns the time at which the account's device got its key; `nil` if it can't sign in by one.
    package func keySetUpAt(_ device: DeviceID, of account: AccountID) async throws -> Instant? {
        try await unitOfWork.read { [devices, keys, environment] transaction in
            guard let found = try devices.find(device, in: transaction), found.account == account,
                found.validity.isLive(at: environment.now())
            else { return nil }
            return try keys.key(of: device, in: transaction)?.createdAt
        }
    }

    private struct Signer: Sendable {
        let device: RegisteredDevice
        let account: AccountID
        let record: DeviceKeyRecord
        let challenge: DeviceChallenge?
    }

    private func signer(_ answer: ChallengeAnswer, in transaction: borrowing Transaction) throws -> Signer? {
        guard let device = try owned(answer.device, in: transaction), let account = device.account,
            let record = try keys.key(of: device.id, in: transaction)
        else { return nil }
        let challenge = try keys.challenge(of: device.id, in: transaction)
        return Signer(device: device, account: account, record: record, challenge: challenge)
    }

    private func noteCloneSign(_ found: Signer) async throws {
        try await unitOfWork.run { [keys, auditLog] transaction in
            try keys.noteCloneSign(of: found.device.id, in: transaction)
            // Only the first is recorded: repetitions of an intercepted signature must not fill the audit log.
            guard found.record.cloneSigns == 0 else { return }
            try auditLog.append(
                AuditRecord(DeviceAuditEvent.cloneSign, of: found.device.id, account: found.account),
                in: transaction
            )
        }
    }

    /// Returns the device of that name, if it is live and has an owner.
    private func owned(_ name: DeviceName, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        guard let device = try devices.find(name, in: transaction), device.account != nil,
            device.validity.isLive(at: environment.now())
        else { return nil }
        return device
    }
}

// Setting up a device's key.
extension DeviceKeyService {
    /// The session's relation to the device.
    private enum Relation {
        case none
        /// The session named the device when it began, as anyone who knows the name can.
        case named
        /// The session proved to be on the device, or registered it.
        case proven
    }

    private func relation(
        to device: DeviceID,
        of requester: DeviceKeyRequest.Requester,
        in transaction: borrowing Transaction
    ) throws -> Relation {
        if let on = requester.device, on != device { return .none }
        if requester.device != nil, requester.isDeviceProven { return .proven }
        if try origins.isRegistered(device, of: requester.account, in: requester.session, in: transaction) {
            return .proven
        }
        return requester.device == nil ? .none : .named
    }

    /// Gives the account's device that key.
    ///
    /// For a first key the session must have proved to be on that device, or have registered it. Otherwise an attacker
    /// who learned the password could name the owner's phone, and sign in as that phone from then on. RFC 9700 §2.2.1
    /// asks for sender-constrained tokens for the same reason. Replacing a key takes the old key's signature, or a
    /// sign-in by a code from the owner's mailbox. The owner gets a mail about each new key.
    package func setUp(_ request: DeviceKeyRequest) async throws -> DeviceKeyOutcome {
        try await unitOfWork.run { transaction in
            let requester = request.requester
            // Checked again: the session may have been ended since the request was admitted.
            guard try origins.isOpen(requester.session, of: requester.account, in: transaction),
                let device = try owned(request.device, in: transaction),
                device.account == requester.account,
                case let related = try relation(to: device.id, of: requester, in: transaction), related != .none
            else { return .unknownDevice }
            let old = try keys.key(of: device.id, in: transaction)
            if old?.key == request.key { return .unchanged }
            if old == nil, related != .proven { return .deviceUnproven }
            if let old, !requester.isMailboxProven, try !agrees(old.key, to: request, on: device.id, in: transaction) {
                return .oldKeyRequired
            }
            let record = DeviceKeyRecord(key: request.key, biometric: request.biometric, createdAt: environment.now())
            try keys.put(record, of: device.id, in: transaction)
            try origins.note(.key, of: device.id, requester.account, from: requester.session, in: transaction)
            let event: DeviceAuditEvent = old == nil ? .keyAdded : .keyReplaced
            try auditLog.append(AuditRecord(event, of: device.id, account: requester.account), in: transaction)
            try notices.notify(
                old == nil ? .keyAdded : .keyReplaced,
                of: requester.account,
                client: request.device.client,
                requester: request.asker,
                in: transaction
            )
            return .enabled(isReplacement: old != nil)
        }
    }

    /// Whether the old key signed its replacement over the device's open challenge, which is then used up.
    private func agrees(
        _ old: DeviceKey,
        to request: DeviceKeyRequest,
        on device: DeviceID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let signature = request.oldSignature,
            let challenge = try keys.challenge(of: device, in: transaction), challenge.isOpen(at: environment.now())
        else { return false }
        let signed = request.key.replacementText(challenge: challenge.text)
        guard old.verifies(signature, over: Array(signed.utf8)) else { return false }
        return try keys.use(challenge.value, of: device, at: environment.now(), in: transaction)
    }
}

// Confirming payments.
extension DeviceKeyService {
    /// Returns the account's device, if it is live and has a key.
    package func signer(on device: DeviceID, of account: AccountID) async throws -> PaymentSigner? {
        try await unitOfWork.read { [devices, environment] transaction in
            guard let found = try devices.find(device, in: transaction), found.account == account,
                found.validity.isLive(at: environment.now()), let key = found.key
            else { return nil }
            return PaymentSigner(device: device, name: found.name.device, account: account, key: key)
        }
    }

    /// Counts the signature, in the unit of work of the payment that it confirms.
    ///
    /// - Returns: `false` if the device has ended, or changed its owner or key, since it was checked.
    package func redeem(_ signer: PaymentSigner, in transaction: borrowing Transaction) throws -> Bool {
        let now = environment.now()
        guard let device = try devices.find(signer.device, in: transaction), device.validity.isLive(at: now),
            device.account == signer.account, device.key == signer.key
        else { return false }
        try keys.noteUse(of: signer.device, at: now, in: transaction)
        return true
    }
}
