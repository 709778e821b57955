package import Kernel

/// The response of `navigator.credentials.get()` in a browser or an app (WebAuthn L3 §5.1, AuthenticationResponseJSON).
package struct AuthenticationResponse: Sendable, Equatable {
    package let id: CredentialID
    package let clientDataJSON: [UInt8]
    /// The client data, read once; the ceremony's step decides about an error.
    let clientData: Result<ClientData, ClientDataError>
    package let authenticatorData: [UInt8]
    package let signature: [UInt8]
    /// The user handle of the credential; `nil` if the authenticator doesn't send it.
    package let userHandle: [UInt8]?
    package let extensionResults: [String: JSONValue]

    package init(
        id: CredentialID,
        clientDataJSON: [UInt8],
        authenticatorData: [UInt8],
        signature: [UInt8],
        userHandle: [UInt8]? = nil,
        extensionResults: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.clientDataJSON = clientDataJSON
        clientData = ClientData.read(clientDataJSON)
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
        self.extensionResults = extensionResults
    }

    /// Reads the JSON form; unknown members are ignored.
    package init(json: JSONValue) throws(CeremonyError) {
        // §7.2 step 3: the response is that of an authentication.
        let reader = try ResponseReader(json, .authentication)
        let response = try reader.object("response")
        // A longer one was never kept (§7.1 step 25), and the store needn't look for it.
        id = try reader.credentialID(atMost: CredentialID.maximumLength)
        clientDataJSON = try response.bytes("clientDataJSON")
        clientData = ClientData.read(clientDataJSON)
        authenticatorData = try response.bytes("authenticatorData")
        signature = try response.bytes("signature")
        // No handle is empty (§5.4.3): some clients write a missing one so.
        userHandle = try response.optionalBytes("userHandle").flatMap { $0.isEmpty ? nil : $0 }
        // §7.2 step 4: the client's extension results.
        extensionResults = try reader.extensionResults()
    }
}
