/// The one reading of a sign-in's methods (RFC 8176 `amr` values).
package enum AuthenticationMethods {
    /// Returns whether a provider has judged a scanned face.
    package static func proveFace(_ methods: [String]) -> Bool { methods.contains("face") }

    /// Returns whether a key has signed: a passkey's, or that of a device.
    package static func proveKey(_ methods: [String]) -> Bool {
        methods.contains("hwk") || methods.contains("swk")
    }

    /// Returns whether the methods prove the person, and not only a learned password or access to a mailbox.
    package static func provePerson(_ methods: [String]) -> Bool { proveFace(methods) || proveKey(methods) }
}
