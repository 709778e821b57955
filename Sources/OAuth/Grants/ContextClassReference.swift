import Kernel

/// The authentication context classes (`acr`) that this server knows.
package enum ContextClassReference: String, Sendable, CaseIterable {
    case face, passkey
    /// A face and a passkey in one sign-in.
    case both = "face-and-passkey"

    /// Returns the class of a sign-in; `nil` if it has none.
    ///
    /// A passkey counts only with user verification. The method `hwk` does not prove a passkey, because device keys
    /// have it as well.
    package init?(_ authentication: AuthenticationContext) {
        let hasPasskey = authentication.passkey != nil && authentication.methods.contains("mfa")
        switch (AuthenticationMethods.proveFace(authentication.methods), hasPasskey) {
        case (true, true): self = .both
        case (true, false): self = .face
        case (false, true): self = .passkey
        case (false, false): return nil
        }
    }

    /// Whether a sign-in of this class is sufficient for `wanted`.
    package func satisfies(_ wanted: ContextClassReference) -> Bool { self == wanted || self == .both }
}
