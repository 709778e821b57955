import Kernel

/// The authentication context classes (`acr`) that this server knows.
package enum ContextClassReference: String, Sendable, CaseIterable {
    case face, passkey
    /// A face and a passkey in one sign-in.
    case both = "face-and-passkey"

    /// Returns the class of a sign-in; `nil` if it satisfies none.
    ///
    /// A passkey counts only with user verification. `hwk` does not prove one, because device keys have it as well.
    package init?(_ authentication: AuthenticationContext) {
        let hasPasskey = authentication.passkey != nil && authentication.methods.contains("mfa")
        switch (AuthenticationMethods.proveFace(authentication.methods), hasPasskey) {
        case (true, true): self = .both
        case (true, false): self = .face
        case (false, true): self = .passkey
        case (false, false): return nil
        }
    }

    /// Whether it is at least as good as `wanted`.
    package func satisfies(_ wanted: ContextClassReference) -> Bool { self == wanted || self == .both }
}
