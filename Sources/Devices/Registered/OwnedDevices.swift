package import Kernel

/// The use cases of owners for their devices.
package struct OwnedDevices: Sendable {
    /// The largest number of listed devices.
    private static let mostListed = 100

    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let store: any OwnedDeviceStore
    private let encryptor: any Encryptor
    private let auditLog: any AuditLog
    private let origins: any DeviceOrigins
    private let ending: any DeviceEnding

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        store: any OwnedDeviceStore,
        encryptor: any Encryptor,
        auditLog: any AuditLog,
        origins: any DeviceOrigins,
        ending: any DeviceEnding
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
        self.encryptor = encryptor
        self.auditLog = auditLog
        self.origins = origins
        self.ending = ending
    }

    /// Returns the account's live devices, the newest first; `nil` as the client means those of all clients.
    package func list(of account: AccountID, client: String?) async throws -> [ListedDevice] {
        try await unitOfWork.read { [store, environment] transaction in
            try store.list(of: account, client: client, at: environment.now(), limit: Self.mostListed, in: transaction)
        }
    }

    /// Sets the device's display name; returns `false` if the device is not the account's.
    package func rename(
        _ device: DeviceID,
        of account: AccountID,
        client: String,
        to label: String
    ) async throws -> Bool {
        try await unitOfWork.run { transaction in
            guard var found = try store.find(device, in: transaction), isLive(found, of: account, for: client) else {
                return false
            }
            found.label = label
            try store.update(found, in: transaction)
            return true
        }
    }

    /// Revokes the device: its sessions end, and none of its proofs is valid from then on.
    ///
    /// - Returns: `false` if the device is not the account's, or is already revoked. A revoked device's state in memory
    ///   is settled again, in case that failed before.
    package func revoke(_ device: DeviceID, of account: AccountID, client: String) async throws -> Bool {
        let (isOwn, isRevoked) = try await unitOfWork.run { transaction in
            guard let found = try store.find(device, in: transaction), found.account == account,
                found.name.client == client
            else { return (false, false) }
            return (true, try isLive(found, of: account, for: client) && revoke(found, account, in: transaction))
        }
        if isOwn { try await ending.settle(revokedDeviceOf: account) }
        return isRevoked
    }

    /// Returns the account of a device; `nil` if the device is unknown, revoked or no account's.
    package func owner(of device: DeviceID) async throws -> AccountID? {
        try await unitOfWork.read { [store] transaction in
            try store.find(device, in: transaction).flatMap { $0.validity.revokedAt == nil ? $0.account : nil }
        }
    }

    /// Revokes the device of any account; returns `nil` if it is unknown or already revoked.
    package func revoke(_ device: DeviceID) async throws -> RegisteredDevice? {
        let (found, isRevoked) = try await unitOfWork.run { transaction -> (RegisteredDevice?, Bool) in
            guard let found = try store.find(device, in: transaction), let account = found.account else {
                return (nil, false)
            }
            return (found, try revoke(found, account, in: transaction))
        }
        if let account = found?.account { try await ending.settle(revokedDeviceOf: account) }
        return isRevoked ? found : nil
    }

    /// Revokes every device of the account but `kept`, in the caller's unit of work.
    ///
    /// The caller ends the sessions of those devices.
    package func revokeAll(
        of account: AccountID,
        except kept: DeviceID?,
        in transaction: borrowing Transaction
    ) throws {
        while true {
            let listed = try store.list(
                of: account,
                client: nil,
                at: environment.now(),
                limit: Self.mostListed,
                in: transaction
            )
            let others = listed.map(\.device).filter { $0.id != kept }
            guard !others.isEmpty else { return }
            for device in others { _ = try revokeAlone(device, account, in: transaction) }
        }
    }

    /// Forgets the proofs of the account's device, in the caller's unit of work.
    ///
    /// An attacker may have left them by signing in under the device's name. They are its credential, unless it is
    /// `shown`, its key, unless `keepingKey`, and its push token. The device stays the account's, and its sessions stay
    /// active. An unregistered device is ignored.
    package func forgetProofs(
        of device: DeviceID,
        _ account: AccountID,
        except shown: Digest256?,
        keepingKey: Bool,
        in transaction: borrowing Transaction
    ) throws {
        guard var found = try store.find(device, in: transaction), found.account == account else { return }
        if let credential = found.credential, credential.digest != shown {
            found.credential = nil
            try store.update(found, in: transaction)
        }
        if !keepingKey { try store.forgetKey(of: device, in: transaction) }
        try store.dropPushToken(of: device, in: transaction)
    }

    /// Returns the display name of the account's device; `nil` if it has none, or is not the account's.
    package func label(
        of device: DeviceID,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> String? {
        guard let found = try store.find(device, in: transaction), found.account == account, !found.label.isEmpty
        else { return nil }
        return found.label
    }

    private func revoke(
        _ device: RegisteredDevice,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard try revokeAlone(device, account, in: transaction) else { return false }
        try ending.end(device.id, of: account, in: transaction)
        return true
    }

    /// Revokes the registration alone, and not its sessions.
    private func revokeAlone(
        _ device: RegisteredDevice,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard try store.revoke(device.id, at: environment.now(), in: transaction) else { return false }
        try auditLog.append(AuditRecord(DeviceAuditEvent.revoked, of: device.id, account: account), in: transaction)
        return true
    }

    private func isLive(_ device: RegisteredDevice, of account: AccountID, for client: String) -> Bool {
        device.account == account && device.name.client == client && device.validity.isLive(at: environment.now())
    }
}

// Push tokens.
extension OwnedDevices {
    /// Stores the push token of the account's device of that name, set in that session.
    ///
    /// - Returns: `false` if the account has no such device, or the session has ended.
    package func keep(
        _ token: Secret,
        of name: String,
        _ account: AccountID,
        client: String,
        from session: SessionID
    ) async throws -> Bool {
        try await unitOfWork.run { transaction in
            guard let device = try store.find(DeviceName(client: client, device: name), in: transaction),
                isLive(device, of: account, for: client), try origins.isOpen(session, of: account, in: transaction)
            else { return false }
            let encrypted = try encryptor.encrypt(token, as: .pushToken(of: device.id))
            try store.put(pushToken: encrypted, of: device.id, at: environment.now(), in: transaction)
            try origins.note(.pushToken, of: device.id, account, from: session, in: transaction)
            return true
        }
    }

    /// Deletes the push token of the account's device of that name; returns `false` if the account has no such device.
    package func dropPushToken(of name: String, _ account: AccountID, client: String) async throws -> Bool {
        try await unitOfWork.run { transaction in
            guard let device = try store.find(DeviceName(client: client, device: name), in: transaction),
                isLive(device, of: account, for: client)
            else { return false }
            try store.dropPushToken(of: device.id, in: transaction)
            return true
        }
    }
}
