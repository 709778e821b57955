package import Kernel

/// The response of `navigator.credentials.get()` in a browser or an app (WebAuthn L3 §5.1, AuthenticationResponseJSON).
package struct AuthenticationResponse: Sendable, Equatable {
    package let id: CredentialID
    package let clientDataJSON: [UInt8]
    /// The client data, read once, or the error that the responsible step of the ceremony reports.
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
        // No longer id is ever registered (§7.1 step 25), so the database need not be searched for one.
        id = try reader.credentialID(atMost: CredentialID.maximumLength)
        clientDataJSON = try response.bytes("clientDataJSON")
        clientData = ClientData.read(clientDataJSON)
        authenticatorData = try response.bytes("authenticatorData")
        signature = try response.bytes("signature")
        // Some clients send an empty user handle for a missing one. No valid user handle is empty (§5.4.3).
        userHandle = try response.optionalBytes("userHandle").flatMap { $0.isEmpty ? nil : $0 }
        // §7.2 step 4: the client's extension results.
        extensionResults = try reader.extensionResults()
    }
}
