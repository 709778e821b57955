// Devices: the proofs that a request comes from a known device.
// Owns links by cookie, registered devices with credentials and keys, their challenges and push tokens.
// Touches no session: sign-ins call this module in their own unit of work.
// Survives copied cookies and named ids: an id proves nothing, a credential is kept as its digest.
// A revocation ends link, credential, key and push token at once.

package import Kernel

/// Finds the registered device that a caller proves, by its credential or by its key.
package struct RegisteredDevices: Sendable {
    private let environment: Environment
    private let store: any RegisteredDeviceStore
    private let keys: any DeviceKeyStore
    private let provenKeys = VerifiedKeyCache()

    package init(environment: Environment, store: any RegisteredDeviceStore, keys: any DeviceKeyStore) {
        self.environment = environment
        self.store = store
        self.keys = keys
    }

    /// Returns the account's device with that credential.
    package func device(
        credential: Digest256,
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceID? {
        guard let device = try store.find(credential: credential, in: transaction) else { return nil }
        return isLive(device, of: account, for: client) ? device.id : nil
    }

    /// Returns the account's device whose key made that proof.
    ///
    /// The count is taken for every valid signature of the key, for any account, so that no signature is valid twice.
    /// It is not taken for an invalid signature, so that other callers can't use up the device's counts.
    package func device(
        _ proof: DeviceKeyProof,
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceID? {
        let name = DeviceName(client: client, device: proof.name)
        guard let device = try store.find(name, in: transaction), let key = device.key,
            key.verifies(proof.signature, over: Array(proof.signed(client: client).utf8)),
            try takes(proof.count, of: device.id, in: transaction), isLive(device, of: account, for: client)
        else { return nil }
        transaction.whenDurable { [provenKeys] in provenKeys.note(key, name, count: proof.count) }
        return device.id
    }

    /// Whether the key of a device that proved itself before made the proof, by memory alone.
    ///
    /// This proves nothing, because the device may be revoked by now. It only decides whether the database is read for
    /// the caller.
    package func recognises(_ proof: DeviceKeyProof, client: String) -> Bool {
        guard let key = provenKeys.key(of: DeviceName(client: client, device: proof.name), count: proof.count) else {
            return false
        }
        return key.verifies(proof.signature, over: Array(proof.signed(client: client).utf8))
    }

    /// Whether that credential is the one of the device.
    package func proves(
        _ credential: Digest256,
        _ device: DeviceID,
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try self.device(credential: credential, of: account, client: client, in: transaction) == device
    }

    /// Whether the credential of the account's device was given to a session that had proved to be on it.
    package func hasProvenCredential(
        _ device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let found = try store.find(device, in: transaction), found.account == account else { return false }
        return found.credential.map { !$0.isUnproven } ?? false
    }

    /// Whether the key of the device made that proof, whose count is then taken.
    package func proves(
        _ proof: RefreshKeyProof,
        _ device: DeviceID,
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let name = DeviceName(client: client, device: proof.name)
        guard let found = try store.find(name, in: transaction), found.id == device,
            let key = found.key, key.verifies(proof.signature, over: Array(proof.signed(client: client).utf8)),
            isLive(found, of: account, for: client)
        else { return false }
        return try takes(proof.count, of: device, in: transaction)
    }

    /// Takes the count of a valid signature.
    ///
    /// A count that was taken before shows that a part of the device was copied.
    private func takes(_ count: Int64, of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        guard try store.take(count: count, of: device, in: transaction) else {
            try keys.noteCloneSign(of: device, in: transaction)
            return false
        }
        try keys.noteUse(of: device, at: environment.now(), in: transaction)
        return true
    }

    /// Whether a registered device of the account may still act for it.
    package func isLive(
        _ device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let device = try store.find(device, in: transaction) else { return false }
        return device.account == account && device.validity.isLive(at: environment.now())
    }

    /// Whether the device was revoked, and has not only expired or never been registered.
    package func isRevoked(_ device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        try store.find(device, in: transaction)?.validity.revokedAt != nil
    }

    /// Revokes the account's device: neither its proofs nor its cookies start anything from then on.
    ///
    /// - Returns: `false` if the device is not the account's, or not registered.
    @discardableResult
    package func revoke(
        _ device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard try store.find(device, in: transaction)?.account == account else { return false }
        return try store.revoke(device, at: environment.now(), in: transaction)
    }

    private func isLive(_ device: RegisteredDevice, of account: AccountID, for client: String) -> Bool {
        device.account == account && device.name.client == client && device.validity.isLive(at: environment.now())
    }
}
