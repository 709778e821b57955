package import Kernel

/// Port: all by which somebody may act for an account, in every module that keeps something of it.
package protocol AccountAccess: Sendable {
    /// Ends, in the caller's unit of work, what others may have of the account after that change; docs/remedies.md says
    /// what each ends.
    ///
    /// The device of the session that stays keeps its name. Others may have signed in under that name and left proofs of
    /// their own: so it keeps its credential only if `kept` shows it, its key only if the session is bound to it, and no
    /// push token.
    func endElsewhere(
        of account: AccountID,
        except kept: KeptAccess?,
        because change: AccessChange,
        in transaction: borrowing Transaction
    ) throws

    /// Ends all that came of before an address was proven in the session of `kept`, but that session and what it began with:
    /// its device, as ``endElsewhere(of:except:because:in:)`` keeps it, and the password, the faces or the passkey.
    ///
    /// - Returns: What the device is called; `nil` for one without a name.
    func removeAll(
        of account: AccountID,
        except kept: KeptAccess,
        in transaction: borrowing Transaction
    ) throws -> String?

    /// Whether the session is the account's and not ended.
    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Ends what of that is live in memory, once the change is durable.
    func settle(_ account: AccountID, because change: AccessChange) async throws
}

/// Whose access stays when all other ends.
package struct KeptAccess: Sendable, Equatable {
    package let session: SessionID
    package let shown: ShownDevice

    package init(session: SessionID, showing shown: ShownDevice) {
        self.session = session
        self.shown = shown
    }
}

/// What the request for a change shows of the device that it comes from, not yet looked at.
package struct ShownDevice: Sendable, Equatable {
    /// SHA-256 of each secret of the device cookie.
    package let cookies: [Digest256]
    /// SHA-256 of the device credential.
    package let credential: Digest256?

    package init(cookies: [Digest256] = [], credential: Digest256? = nil) {
        self.cookies = cookies
        self.credential = credential
    }
}

/// What was changed, so that others are out.
package enum AccessChange: Sendable, Equatable, CaseIterable {
    case password
    case passwordByOperator
    /// Another address was proven from the account's own device, in the place of the one before.
    case address
    /// An address was proven from elsewhere: whoever set the account up may be somebody else.
    case addressFromElsewhere
    case addressByOperator
    case disabled
}
