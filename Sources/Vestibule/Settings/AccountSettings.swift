/// What accounts that people open themselves may do.
struct AccountSettings: Sendable, Equatable {
    /// Whether an account's address has to be proved before a face is enrolled for it.
    var requireVerifiedEmail = true
}
