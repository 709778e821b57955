/// The state of a link that verifies an address.
package enum AddressProofLook: Sendable, Equatable {
    /// The link is valid.
    ///
    /// `hasPassword`: whether the account has a password, which the person may type. `isOwnDevice`: whether the request
    /// comes from a device of the account, so that nothing is signed out. `service`: the client.
    case open(hasPassword: Bool, isOwnDevice: Bool, service: NamedClient)
    /// The link has expired or was never made, or the account no longer has or claims the address.
    case over
}

/// The outcome of the link's button.
package enum AddressProofOutcome: Sendable, Equatable {
    /// The address is the account's, and verified.
    case proven
    case over
    /// The password was wrong, and nothing was done.
    case wrongPassword(service: NamedClient)
    /// Too many passwords were wrong: this password was not checked, and nothing was done.
    case lockedOut(Duration)
}

/// The outcome of a proof of an address.
package enum AddressProofNote: Sendable, Equatable {
    case proven(removedEarlier: Bool)
    /// The address was verified before.
    case provenBefore
    /// The address is neither the account's nor claimed by it, or is by now another account's.
    case notTheirs
}

/// A client, and its name as people see it.
package struct NamedClient: Sendable, Equatable {
    package let id: String
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
