import Accounts
import Devices
import Kernel
import Sessions

/// Reads accounts and devices for the refresh of tokens.
struct RefreshSubjectsAdapter: RefreshSubjects {
    let accounts: any AccountStore
    let devices: DeviceLinks
    let registered: RegisteredDevices

    func mayContinue(_ session: Session, in transaction: borrowing Transaction) throws -> Bool {
        guard try accounts.profile(session.account, in: transaction)?.account.state == .active else { return false }
        guard let device = session.linkedDevice?.id else { return true }
        guard try !registered.isRevoked(device, in: transaction) else { return false }
        return try !devices.isRevoked(device, of: session.account, in: transaction)
    }

    func proof(
        _ evidence: RefreshEvidence,
        of session: Session,
        in transaction: borrowing Transaction
    ) throws -> RefreshProof {
        guard let device = session.linkedDevice?.id else { return .none }
        if let signature = evidence.signature {
            let proof = RefreshKeyProof(
                name: signature.device,
                token: signature.token,
                count: signature.count,
                signature: signature.bytes
            )
            let isProven = try registered.proves(
                proof,
                device,
                of: session.account,
                client: session.client,
                in: transaction
            )
            if isProven { return .key }
        }
        guard let credential = evidence.credential,
            try registered.proves(credential, device, of: session.account, client: session.client, in: transaction)
        else { return .none }
        return .credential
    }
}
