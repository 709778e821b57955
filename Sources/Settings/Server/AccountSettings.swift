/// The rules for accounts that people open themselves.
package struct AccountSettings: Sendable, Equatable {
    /// Whether an address is an account's only once its owner has proved it; before, no face is enrolled either.
    package var requireVerifiedEmail = true
}
