/// What accounts that people open themselves may do.
struct AccountSettings: Sendable, Equatable {
    /// Whether an address is an account's only once its owner has proved it; before, no face is enrolled either.
    var requireVerifiedEmail = true
}
