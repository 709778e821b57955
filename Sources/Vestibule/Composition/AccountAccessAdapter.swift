import Accounts
import Devices
import Kernel
import Operations
import Passkeys
import Sessions
import Storage

/// All by which somebody may act for an account: sessions, devices, passkeys, codes, password and faces, each in its own room.
struct AccountAccessAdapter: AccountAccess {
    let sessions: SessionDesk
    let devices: OwnedDevices
    let passkeys: OwnedPasskeys
    let links: DeviceLinks
    let codes: any EmailCodeStore
    let addresses: SQLiteAddressStore
    let desk: OperationDesk
    let facts: Facts

    func endElsewhere(
        of account: AccountID,
        except kept: KeptAccess?,
        because reason: AccessChange,
        in transaction: borrowing Transaction
    ) throws {
        try endElsewhere(of: account, except: kept, because: reason, keeping: nil, in: transaction)
    }

    /// `ownPasskey`: one that stays.
    private func endElsewhere(
        of account: AccountID,
        except kept: KeptAccess?,
        because reason: AccessChange,
        keeping ownPasskey: PasskeyID?,
        in transaction: borrowing Transaction
    ) throws {
        var session: Session?
        if let kept { session = try sessions.find(kept.session, in: transaction) }
        _ = try sessions.revokeAll(of: account, except: kept?.session, because: reason.revocation, in: transaction)
        try devices.revokeAll(of: account, except: session?.device, in: transaction)
        // Whoever is to be out may have added one, and nothing tells it from the owner's.
        try passkeys.removeAll(of: account, except: ownPasskey, in: transaction)
        try links.revokeAll(of: account, except: session?.device, in: transaction)
        if let session, let device = session.device {
            try devices.forgetProofs(
                of: device,
                account,
                except: kept?.credential,
                keepingKey: session.binding == .deviceKey,
                in: transaction
            )
        }
        try endCodes(of: account, in: transaction)
    }

    func removeAll(of account: AccountID, in transaction: borrowing Transaction) throws {
        try endElsewhere(of: account, except: nil, because: .address, in: transaction)
        try addresses.removeAccess(of: account, in: transaction)
    }

    func removeAll(
        of account: AccountID,
        except kept: KeptAccess,
        in transaction: borrowing Transaction
    ) throws -> String? {
        let session = try sessions.find(kept.session, in: transaction)
        try endElsewhere(
            of: account,
            except: kept,
            because: .address,
            keeping: session?.passkey,
            in: transaction
        )
        let methods = session?.methods ?? []
        try addresses.removeAccess(
            of: account,
            keepingPassword: methods.contains("pwd"),
            keepingFaces: methods.contains("face"),
            in: transaction
        )
        return try session?.device.flatMap { try devices.label(of: $0, account, in: transaction) }
    }

    func endCodes(of account: AccountID, in transaction: borrowing Transaction) throws {
        try codes.endAll(of: account, at: facts.now(), in: transaction)
    }

    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        try sessions.isOpen(session, of: account, in: transaction)
    }

    func settle(_ account: AccountID) async throws { _ = try await desk.block(account) }
}

extension AccessChange {
    fileprivate var revocation: RevocationReason {
        switch self {
        case .password: .passwordChanged
        case .address: .addressProved
        }
    }
}
