extension CeremonyStepError {
    /// The error and its remedy, in at most two sentences for an operator, without data of the client.
    package var explanation: String {
        switch self {
        case .response(let member): "The response has no valid \(member). Send what credential.toJSON() gives."
        case .clientDataNotUTF8: "The client data is not UTF-8. Send clientDataJSON as the browser gave it."
        case .clientDataMalformed: "The client data is not a JSON object with type, challenge and origin."
        case .wrongType: "The client data are of the other ceremony: webauthn.create registers, webauthn.get signs in."
        case .wrongChallenge: "The answer belongs to another challenge. Ask for new options and try again."
        case .originNotAllowed: "The page's origin is not among the allowed ones. Add it to the origins if it is yours."
        case .crossOrigin: "The ceremony ran in a frame of another site, which is not allowed here."
        case .topOrigin: "The ceremony names a top-level page, and frames of other sites are not allowed here."
        case .topOriginNotAllowed: "The page around the frame is not among the allowed top origins."
        case .attestationObject(let fault): "The attestation object can't be read (\(fault.code))."
        case .authenticatorData(let fault): "The authenticator data can't be read (\(fault.code))."
        case .noAttestedCredential: "The authenticator data of a registration has no new credential."
        case .wrongRPID: "The credential belongs to another relying party. Check the RP ID of the options."
        case .userNotPresent: "Nobody touched the authenticator. Touch it when it asks."
        case .userNotVerified: "The authenticator did not check who is there. Ask for user verification in the options."
        case .backedUpNotEligible: "The authenticator says that the credential is backed up and that it can't be."
        case .backupEligibleNotAllowed: "Credentials that can be copied to other devices are not allowed here."
        case .algorithmNotOffered: "The credential's algorithm was not among those that were offered."
        case .publicKey(let fault): "The credential's public key is not accepted (\(fault.code))."
        case .formatUnsupported: "The attestation has a format that is not supported here."
        case .attestation(let fault, _): "The attestation is not valid (\(fault.code))."
        case .attestationRequired: "An attestation is required, and the authenticator gave none."
        case .selfAttestationNotAllowed: "A certificate's attestation is required, and this credential attests itself."
        case .attestationUntrusted(let fault): fault.explanation
        case .credentialIDTooLong: "The credential's id is longer than 1023 bytes."
        case .credentialAlreadyRegistered: "This passkey is registered already. Sign in with it."
        case .credentialIDMismatch: "The response names another credential than the authenticator data."
        case .extensionOutput: "The output of an extension does not have the extension's form."
        case .notDiscoverable: "A discoverable credential is required, and this one is not."
        case .credentialNotAllowed: "The credential is not among those that were asked for."
        case .credentialUnknown: "No such passkey is registered here. Remove it from the device or register it again."
        case .userHandleMissing: "Nobody was named and the credential names nobody. Give a name and try again."
        case .userHandleMismatch: "The credential names another user than its owner."
        case .backupEligibilityChanged: "The authenticator now says something else about copies than at registration."
        case .signatureInvalid: "The signature is not the credential's over this answer."
        case .counterNotIncreased: "The signature counter has not grown: there may be a copy of the authenticator."
        }
    }
}
