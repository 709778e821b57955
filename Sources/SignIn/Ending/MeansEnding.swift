import Devices
package import Kernel
package import Operations
import Passkeys

/// Ends the sessions of a means to sign in that is given up: a revoked device, or a removed passkey.
package struct MeansEnding: Sendable {
    private let descent: DescentEnding
    private let operations: OperationService

    package init(descent: DescentEnding, operations: OperationService) {
        self.descent = descent
        self.operations = operations
    }
}

extension MeansEnding: DeviceEnding {
    package func end(_ device: DeviceID, of account: AccountID, in transaction: borrowing Transaction) throws {
        let ended = try descent.end(on: device, of: account, in: transaction)
        try operations.end(Remedy.deviceRevoked.event, of: account, startedBy: ended, in: transaction)
    }

    package func settle(revokedDeviceOf account: AccountID) async throws {
        try await operations.settle(Remedy.deviceRevoked.event, of: account)
    }
}

extension MeansEnding: PasskeyEnding {
    package func end(
        _ passkey: PasskeyID,
        of account: AccountID,
        except kept: SessionID?,
        in transaction: borrowing Transaction
    ) throws {
        let ended = try descent.end(openedBy: passkey, of: account, except: kept, in: transaction)
        try operations.end(Remedy.passkeyRemoved.event, of: account, startedBy: ended, in: transaction)
    }

    package func settle(removedPasskeyOf account: AccountID) async throws {
        try await operations.settle(Remedy.passkeyRemoved.event, of: account)
    }
}
