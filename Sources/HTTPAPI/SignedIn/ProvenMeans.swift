import Kernel
import OAuth

/// What a person has proved of themselves: in a session, or on the sign-in page.
struct ProvenMeans: Sendable {
    let account: AccountID
    /// The time of the last proof.
    let at: Instant
    /// The methods as RFC 8176 values.
    let methods: [String]
    /// The passkey that signed, which may have been removed since.
    let passkey: PasskeyID?
    /// The device whose key signed.
    let keyDevice: DeviceID?

    /// Whether a code from the owner's mailbox was typed.
    var hasMailbox: Bool { methods.contains("otp") }
    /// Whether a provider has judged a face.
    var hasFace: Bool { AuthenticationMethods.proveFace(methods) }
}

extension SignedIn {
    /// What the session's person has proved.
    var means: ProvenMeans {
        ProvenMeans(
            account: account,
            at: authenticatedAt,
            methods: methods,
            passkey: passkey,
            keyDevice: isOfDeviceKey ? device : nil
        )
    }
}

extension Interaction.Proven {
    /// What was proved on the page, which asks for no device's key.
    var means: ProvenMeans {
        ProvenMeans(
            account: account,
            at: authentication.at,
            methods: authentication.methods,
            passkey: authentication.passkey,
            keyDevice: nil
        )
    }
}
