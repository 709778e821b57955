package import Accounts
package import Kernel
import OAuth
import Sessions

// Implements the ports of other modules.

extension EndingService: AccountAccess {
    package func endElsewhere(
        of account: AccountID,
        except kept: KeptAccess?,
        because change: AccessChange,
        in transaction: borrowing Transaction
    ) throws {
        try end(Remedy(change), of: account, except: kept, in: transaction)
    }

    package func removeAll(
        of account: AccountID,
        except kept: KeptAccess,
        in transaction: borrowing Transaction
    ) throws -> String? {
        try end(.addressProvedInApp, of: account, except: kept, in: transaction)
        return try label(ofDeviceIn: kept.session, account, in: transaction)
    }

    package func isOpen(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try descent.sessions.isOpen(session, of: account, in: transaction)
    }

    package func settle(_ account: AccountID, because change: AccessChange) async throws {
        try await settle(Remedy(change), of: account)
    }
}

extension EndingService: SessionEnding {
    package func signOutEverywhere(_ account: AccountID, in transaction: borrowing Transaction) throws -> Int {
        try end(.signedOutEverywhere, of: account, in: transaction)
    }

    package func settleSignOut(of account: AccountID) async throws {
        try await settle(.signedOutEverywhere, of: account)
    }
}

extension EndingService: ClientEnding {
    package func endAll(ofDisabled client: String, in transaction: borrowing Transaction) throws {
        try end(.clientDisabled, ofClient: client, in: transaction)
    }

    package func settle(ofDisabled client: String) async throws {
        try await settle(.clientDisabled, ofClient: client)
    }
}

extension Remedy {
    fileprivate init(_ change: AccessChange) {
        self =
            switch change {
            case .password: .passwordChanged
            case .passwordByOperator: .passwordSet
            case .address: .addressReplaced
            case .addressFromElsewhere: .addressProved
            case .addressByOperator: .addressSet
            case .disabled: .accountDisabled
            case .closed: .accountClosed
            }
    }
}
