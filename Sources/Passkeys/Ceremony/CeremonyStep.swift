/// A numbered step of WebAuthn L3.
package enum CeremonyStep: Sendable, Equatable {
    /// §7.1, Registering a New Credential.
    case registration(Int)
    /// §7.2, Verifying an Authentication Assertion.
    case authentication(Int)

    package var number: Int {
        switch self {
        case .registration(let number), .authentication(let number): number
        }
    }

    /// The citation of the step.
    package var clause: String {
        switch self {
        case .registration(let number): "WebAuthn L3 §7.1 step \(number)"
        case .authentication(let number): "WebAuthn L3 §7.2 step \(number)"
        }
    }
}
