/// Where a link leads that proves an address.
package enum AddressProofLook: Sendable, Equatable {
    /// `hasPassword`: whether the account has one, which the person may type; `isOwnDevice`: whether whoever looks is on a
    /// device of the account, so that nothing is signed out; `service`: what the person knows the client as.
    case open(hasPassword: Bool, isOwnDevice: Bool, service: String)
    /// It has expired, or was never made; or the account no longer has or wants the address.
    case over
}

/// What came of the link's button.
package enum AddressProofOutcome: Sendable, Equatable {
    /// The address is the account's, and proven.
    case proven
    case over
    /// Nothing was done.
    case wrongPassword(service: String)
    /// Too many passwords were wrong; this one was not looked at, and nothing was done.
    case lockedOut(Duration)
}

/// What became of a proof.
package enum AddressProofNote: Sendable, Equatable {
    case proven(removedEarlier: Bool)
    /// There was nothing to do.
    case provenBefore
    /// The address is neither the account's nor claimed by it, or is another's by now.
    case notTheirs
}
