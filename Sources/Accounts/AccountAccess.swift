package import Kernel

/// Port: the access to an account that other modules keep, such as sessions and devices.
package protocol AccountAccess: Sendable {
    /// Ends other access to the account after that change, in the caller's unit of work: docs/remedies.md lists what
    /// ends.
    ///
    /// The device of the kept session keeps its name. An attacker may have signed in under that name and left other
    /// proofs. So the device keeps its credential only if `kept` presents it, and its key only if the session is bound
    /// to it. It keeps no push token.
    func endElsewhere(
        of account: AccountID,
        except kept: KeptAccess?,
        because change: AccessChange,
        in transaction: borrowing Transaction
    ) throws

    /// Ends all access to the account but that of `kept`, in whose session an address was verified.
    ///
    /// That session stays, with its device as ``endElsewhere(of:except:because:in:)`` keeps it, and with the password,
    /// the faces or the passkey that it began with.
    ///
    /// - Returns: The device's name; `nil` if it has none.
    func removeAll(
        of account: AccountID,
        except kept: KeptAccess,
        in transaction: borrowing Transaction
    ) throws -> String?

    /// Whether the session is the account's and has not ended.
    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Ends the state in memory of the ended access, once the change is durable.
    func settle(_ account: AccountID, because change: AccessChange) async throws
}

/// The access that stays when all other access ends.
package struct KeptAccess: Sendable, Equatable {
    package let session: SessionID
    package let presented: PresentedDevice

    package init(session: SessionID, presenting presented: PresentedDevice) {
        self.session = session
        self.presented = presented
    }
}

/// The evidence about its device that a request for a change presents, not yet checked.
package struct PresentedDevice: Sendable, Equatable {
    /// SHA-256 of each secret of the device cookie.
    package let cookies: [Digest256]
    /// SHA-256 of the device credential.
    package let credential: Digest256?

    package init(cookies: [Digest256] = [], credential: Digest256? = nil) {
        self.cookies = cookies
        self.credential = credential
    }
}

/// The change that ends other access.
package enum AccessChange: Sendable, Equatable, CaseIterable {
    case password
    case passwordByOperator
    /// An address was verified from the account's own device, instead of the previous one.
    case address
    /// An address was verified from another device: the account may have been set up by an attacker.
    case addressFromElsewhere
    case addressByOperator
    case disabled
    /// The person closed the account.
    case closed
}
