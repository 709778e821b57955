/// A credential that is named to an authenticator (WebAuthn L3 §5.8.3), in its JSON form.
package struct CredentialDescriptor: Sendable, Codable, Equatable {
    /// base64url.
    package let id: String
    /// Always `public-key`: browsers ignore a descriptor without it, and one of the apps refuses it.
    package let type: String
    package let transports: [String]?

    package init(_ id: CredentialID, transports: [String]) {
        self.id = id.text
        type = Self.publicKey
        self.transports = transports.isEmpty ? nil : transports
    }

    static let publicKey = "public-key"
}
