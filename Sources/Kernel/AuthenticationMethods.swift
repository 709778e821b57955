/// What the methods of a sign-in (RFC 8176 `amr` values) prove.
package enum AuthenticationMethods {
    /// Returns whether a provider has judged a scanned face.
    package static func proveFace(_ methods: [String]) -> Bool { methods.contains("face") }

    /// Returns whether a key has signed, of a passkey or of a device.
    package static func proveKey(_ methods: [String]) -> Bool {
        methods.contains("hwk") || methods.contains("swk")
    }

    /// Returns whether the methods include a face or a key, and not only a password or access to a mailbox.
    package static func provePerson(_ methods: [String]) -> Bool { proveFace(methods) || proveKey(methods) }
}
