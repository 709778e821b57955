package import Kernel

/// The response of `navigator.credentials.create()` in a browser or an app (WebAuthn L3 §5.1,
/// RegistrationResponseJSON).
package struct RegistrationResponse: Sendable, Equatable {
    package let id: CredentialID
    package let clientDataJSON: [UInt8]
    /// The client data, read once, or the error that the responsible step of the ceremony reports.
    let clientData: Result<ClientData, ClientDataError>
    package let attestationObject: [UInt8]
    /// The authenticator's transports, as the browser names them.
    package let transports: [String]
    package let extensionResults: [String: JSONValue]

    package init(
        id: CredentialID,
        clientDataJSON: [UInt8],
        attestationObject: [UInt8],
        transports: [String] = [],
        extensionResults: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.clientDataJSON = clientDataJSON
        clientData = ClientData.read(clientDataJSON)
        self.attestationObject = attestationObject
        self.transports = transports
        self.extensionResults = extensionResults
    }

    /// Reads the JSON form; unknown members are ignored.
    package init(json: JSONValue) throws(CeremonyError) {
        // §7.1 step 3: the response is that of a registration.
        let reader = try ResponseReader(json, .registration)
        let response = try reader.object("response")
        id = try reader.credentialID()
        clientDataJSON = try response.bytes("clientDataJSON")
        clientData = ClientData.read(clientDataJSON)
        attestationObject = try response.bytes("attestationObject")
        transports = try response.words("transports")
        // §7.1 step 4: the client's extension results.
        extensionResults = try reader.extensionResults()
    }
}
