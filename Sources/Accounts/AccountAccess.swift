package import Kernel

/// Port: all by which somebody may act for an account, in every room that keeps something of it.
package protocol AccountAccess: Sendable {
    /// Ends, in the caller's unit of work, the account's sessions but that of `kept`, its devices with their credentials,
    /// keys and browsers but the one that it is on, and its sign-in codes that are out.
    ///
    /// The device that stays keeps its name and its session. Others may have signed in under that name and left proofs of
    /// their own: so it keeps its credential only if `kept` shows it, its key only if the session is bound to it, and no
    /// push token.
    func endElsewhere(
        of account: AccountID,
        except kept: KeptAccess?,
        because reason: AccessChange,
        in transaction: borrowing Transaction
    ) throws

    /// Ends all of that, and with it the account's password and its faces at providers.
    func removeAll(of account: AccountID, in transaction: borrowing Transaction) throws

    /// Ends all of that but what the session of `kept` is and began with: the session and its device, as
    /// ``endElsewhere(of:except:because:in:)`` keeps them, and the password, the faces or the passkey that it was opened by.
    ///
    /// - Returns: What the device is called; `nil` for one without a name.
    func removeAll(
        of account: AccountID,
        except kept: KeptAccess,
        in transaction: borrowing Transaction
    ) throws -> String?

    /// Ends the account's sign-in codes that are out.
    func endCodes(of account: AccountID, in transaction: borrowing Transaction) throws

    /// Whether the session is the account's and not ended.
    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Ends what of removed access is live in memory, once its removal is durable.
    func settle(_ account: AccountID) async throws
}

/// Whose access stays when all other ends.
package struct KeptAccess: Sendable, Equatable {
    package let session: SessionID
    /// SHA-256 of the device credential that the request for the change shows.
    package let credential: Digest256?

    package init(session: SessionID, showing credential: Digest256?) {
        self.session = session
        self.credential = credential
    }
}

/// What was changed, so that others are out.
package enum AccessChange: Sendable, Equatable {
    case password
    /// An address was proven.
    case address
}
