/// Attestation by a certificate of the model, or by the credential's own key (WebAuthn L3 §8.2).
package struct PackedFormat: AttestationFormat {
    package let identifier = "packed"

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationError) -> AttestationResult {
        if input.statement.members["x5c"] != nil { return try verifyCertified(input) }
        return try verifySelf(input)
    }

    private func verifyCertified(_ input: AttestationInput) throws(AttestationError) -> AttestationResult {
        let members = try AttestationMembers(input.statement.members, exactly: ["alg", "sig", "x5c"])
        let path = try members.certificates()
        try path.key.check(try members.bytes("sig"), over: input.signedBytes, try members.algorithm())
        try PackedCertificate.check(path.leaf)
        try ModelExtension.check(path.leaf, input.credential.aaguid)
        return AttestationResult(
            .basic,
            trustPath: path.certificates,
            model: .proven(input.credential.aaguid),
            serialNumber: try SerialNumberExtension.serialNumber(of: path.leaf)
        )
    }

    private func verifySelf(_ input: AttestationInput) throws(AttestationError) -> AttestationResult {
        let members = try AttestationMembers(input.statement.members, exactly: ["alg", "sig"])
        guard try members.algorithm() == input.publicKey.algorithm else { throw .algorithmMismatch }
        let signature = try members.bytes("sig")
        guard input.publicKey.verifies(signature, over: input.authenticatorData.bytes, input.clientDataHash) else {
            throw .signatureInvalid
        }
        return AttestationResult(.selfAttestation)
    }
}

extension AttestationInput {
    /// The bytes that most statements sign: the authenticator data, then the hash of the client data.
    var signedBytes: [UInt8] { authenticatorData.bytes + clientDataHash }
}
