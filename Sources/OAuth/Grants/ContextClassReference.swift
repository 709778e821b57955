import Kernel

/// The authentication context classes (`acr`) that this server knows, and what satisfies them.
package enum ContextClassReference: String, Sendable, CaseIterable {
    case face, passkey
    /// A face and a passkey in one sign-in.
    case both = "face-and-passkey"

    /// What a sign-in is worth; `nil` for less than any of them.
    ///
    /// A passkey counts with user verification alone. The key of a registered device is none: `hwk` says as much of both.
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
