/// The identity of one kind of entity: a type of its own per kind, so that an account's id can't be passed for a
/// session's.
///
/// On the wire and in the database it is the lower-case dashed UUID. The database may hold other bits than everything
/// else does (``IDForm``).
package protocol EntityID: Hashable, Sendable, CustomStringConvertible {
    static var kind: IDKind { get }
    /// The outside form.
    var bits: UUIDBits { get }
    init(_ bits: UUIDBits)
}

extension EntityID {
    /// Reads the dashed form in either case; anything else is `nil`.
    package init?(parsing text: some StringProtocol) {
        guard let bits = UUIDBits(text) else { return nil }
        self.init(bits)
    }

    package var description: String { bits.description }
}

/// A person's account, by whatever means they sign in.
package struct AccountID: EntityID {
    package static let kind = IDKind.account
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}

/// One signed-in session (`sid` in tokens).
package struct SessionID: EntityID {
    package static let kind = IDKind.session
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}

/// A device known to Vestibule.
package struct DeviceID: EntityID {
    package static let kind = IDKind.device
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}

/// A registered passkey, as lists and commands name it, which is not the authenticator's credential id.
package struct PasskeyID: EntityID {
    package static let kind = IDKind.passkey
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}

/// The row of an operation, as logs and the CLI show it.
///
/// It is not the id that a client polls with, which is a secret.
package struct OperationRowID: EntityID {
    package static let kind = IDKind.operation
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}
