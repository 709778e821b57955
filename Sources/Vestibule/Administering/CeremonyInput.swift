import Kernel
import Passkeys

/// A ceremony to verify: the options that a browser was called with, and its response.
struct CeremonyInput {
    private let options: [String: JSONValue]
    private let response: JSONValue
    private let credential: [String: JSONValue]?
    private let relyingParty: RelyingParty
    private let challenge: [UInt8]

    /// - Throws: ``ExitError`` for an input without a ceremony.
    init(_ bytes: [UInt8], origins: [String]) throws {
        guard case .object(let members)? = try? JSONReader.read(bytes) else {
            throw ExitError.refused("Standard input is not one JSON object. Write {\"options\": …, \"response\": …}.")
        }
        guard case .object(let given)? = members["options"], let response = members["response"] else {
            throw ExitError.refused("The object lacks “options” and “response”. Write both.")
        }
        // The options may be wrapped as for navigator.credentials: {publicKey: …}.
        if case .object(let inner)? = given["publicKey"] { options = inner } else { options = given }
        self.response = response
        if case .object(let known)? = members["credential"] { credential = known } else { credential = nil }
        guard let challenge = options.text("challenge").flatMap({ Base64URL.decode($0) }) else {
            throw ExitError.refused("“options.challenge” is missing, or not base64url.")
        }
        self.challenge = challenge
        relyingParty = try Self.relyingParty(of: options, origins)
    }

    private static func relyingParty(_ id: String, _ origins: [String]) throws -> RelyingParty {
        let texts = origins.isEmpty ? ["https://\(id)"] : origins
        do {
            let parsed = try texts.map { try Origin($0) }
            let isOwn: (Origin) -> Bool = { origin in
                guard let host = origin.host else { return true }
                return host == id || host.hasSuffix("." + id)
            }
            return try RelyingParty(
                id: id,
                name: id,
                origins: parsed.filter(isOwn),
                relatedOrigins: parsed.filter { !isOwn($0) }
            )
        } catch let fault as OriginError {
            throw ExitError.refused(
                "Invalid origin (\(fault.rawValue)). Write it as browsers do: https://login.example.com"
            )
        } catch let fault as RelyingPartyError {
            throw ExitError.refused("The relying party is not valid (\(fault.code)).")
        }
    }

    private static func relyingParty(of options: [String: JSONValue], _ origins: [String]) throws -> RelyingParty {
        if case .object(let party)? = options["rp"], let id = party.text("id") { return try relyingParty(id, origins) }
        guard let id = options.text("rpId") else {
            throw ExitError.refused(
                "“options” does not name the relying party. Write rp.id for a registration, rpId for a sign-in."
            )
        }
        return try relyingParty(id, origins)
    }

    /// Whether the ceremony is a registration: only its options name a relying party with `rp`.
    private var isRegistration: Bool { options["rp"] != nil }

    /// Returns the verdict; `anchors`: the trust anchors of attestations, `nil` if they are not verified.
    func verdict(anchors: TrustAnchors?, now: Instant) async -> CeremonyVerdict {
        let kind = isRegistration ? "registration" : "authentication"
        do throws(CeremonyError) {
            if isRegistration { return try await registration(anchors, now) }
            return try authentication()
        } catch {
            return CeremonyVerdict(ceremony: kind, error)
        }
    }

    private func registration(_ anchors: TrustAnchors?, _ now: Instant) async throws(CeremonyError) -> CeremonyVerdict {
        let asked = options.text("attestation").flatMap { AttestationConveyance(rawValue: $0) }
        var conveyance = asked == nil || asked == AttestationConveyance.none ? AttestationConveyance.none : .indirect
        if anchors != nil { conveyance = asked == .enterprise ? .enterprise : .direct }
        let trust = AttestationTrust(anchors: anchors ?? TrustAnchors())
        let verified = try await Registration.verify(
            try RegistrationResponse(json: response),
            RegistrationExpectation(
                challenge: challenge,
                relyingParty: relyingParty,
                preferences: preferences(attestation: asked ?? .none),
                isConditional: false,
                allowsBackupEligible: true,
                attestation: AttestationPolicy(conveyance, anchors: trust),
                now: now
            )
        )
        return CeremonyVerdict(registered: try verified.record(isRegistered: false))
    }

    /// Returns the requirements of the options as browsers read them, with the defaults of WebAuthn L3 §5.4.
    private func preferences(attestation: AttestationConveyance) -> RegistrationPreferences {
        var selection: [String: JSONValue] = [:]
        if case .object(let members)? = options["authenticatorSelection"] { selection = members }
        // Without `residentKey`, `requireResidentKey` counts (§5.4.4).
        let isResident = selection["requireResidentKey"] == .bool(true)
        return RegistrationPreferences(
            algorithms: algorithms,
            residentKey: selection.text("residentKey").flatMap { ResidentKeyRequirement(rawValue: $0) }
                ?? (isResident ? .required : .discouraged),
            userVerification: selection.text("userVerification").flatMap { UserVerificationRequirement(rawValue: $0) }
                ?? .preferred,
            attestation: attestation
        )
    }

    private var algorithms: [COSEAlgorithm] {
        guard case .array(let listed)? = options["pubKeyCredParams"] else { return COSEAlgorithm.offered }
        return listed.compactMap { entry in
            guard case .object(let members) = entry else { return nil }
            return members["alg"]?.integer.flatMap { COSEAlgorithm(rawValue: $0) }
        }
    }

    private func authentication() throws(CeremonyError) -> CeremonyVerdict {
        let response = try AuthenticationResponse(json: response)
        var allowed: [CredentialID] = []
        if case .array(let listed)? = options["allowCredentials"] {
            allowed = listed.compactMap { entry in
                guard case .object(let members) = entry else { return nil }
                return members.text("id").flatMap { CredentialID(text: $0) }
            }
        }
        let verified = try Authentication.verify(
            response,
            by: try owned(response.id),
            AuthenticationExpectation(
                challenge: challenge,
                relyingParty: relyingParty,
                allowedCredentials: allowed,
                userHandle: allowed.isEmpty ? nil : credential?.bytes("userHandle"),
                requiresUserVerification: options.text("userVerification") == "required",
                counterPolicy: .refuse
            )
        )
        return CeremonyVerdict(signedIn: verified)
    }

    /// Returns the credential that the input gives as known: without one the response can't be verified.
    private func owned(_ id: CredentialID) throws(CeremonyError) -> OwnedCredential? {
        guard let credential, let bytes = credential.bytes("publicKey"),
            let aaguid = AAGUID(Array(repeating: 0, count: 16))
        else { return nil }
        let key: COSEKey
        do throws(COSEKeyError) { key = try COSEKey(bytes) } catch {
            throw CeremonyError(.publicKey(error), .authentication(21))
        }
        let record = CredentialRecord(
            id: id,
            publicKey: key,
            signCount: credential["signCount"]?.integer.flatMap { UInt32(exactly: $0) } ?? 0,
            isUserVerified: true,
            backup: CredentialRecord.BackupState(
                isEligible: credential["backupEligible"] == .bool(true),
                isBackedUp: credential["backedUp"] == .bool(true)
            ),
            authenticator: CredentialRecord.Authenticator(aaguid: aaguid, transports: []),
            attestation: AttestationRecord(format: "none", type: .none, isTrusted: false),
            isDiscoverable: nil
        )
        return OwnedCredential(record, userHandle: credential.bytes("userHandle") ?? [])
    }
}

/// The verdict on a ceremony, for people and for machines.
struct CeremonyVerdict: Encodable {
    let ceremony: String
    let verified: Bool
    /// The error of an invalid ceremony, with its step and the clause of the standard.
    var code: String?
    var step: Int?
    var clause: String?
    var explanation: String?
    /// The passkey of a valid ceremony.
    var credential: Credential?

    struct Credential: Encodable {
        var id: String
        var publicKey: String?
        var signCount: UInt32
        var backupEligible: Bool?
        var backedUp: Bool
        var userVerified: Bool
        var attestation: String?
        var attestationType: String?
        var trusted: Bool?
        /// The reason why the attestation is not trusted, if attestations are verified.
        var doubt: String?
        /// The serial number of an enterprise attestation, in base64url.
        var serialNumber: String?
        var aaguid: String?
    }

    init(ceremony: String, _ error: CeremonyError) {
        self.ceremony = ceremony
        verified = false
        code = error.code
        step = error.step.number
        clause = error.clause
        explanation = error.fault.explanation
    }

    init(registered record: CredentialRecord) {
        ceremony = "registration"
        verified = true
        credential = Credential(
            id: record.id.text,
            publicKey: Base64URL.encode(record.publicKey.bytes),
            signCount: record.signCount,
            backupEligible: record.backup.isEligible,
            backedUp: record.backup.isBackedUp,
            userVerified: record.isUserVerified,
            attestation: record.attestation.format,
            attestationType: record.attestation.type.rawValue,
            trusted: record.attestation.isTrusted,
            doubt: record.attestation.doubt,
            serialNumber: record.attestation.serialNumber.map { Base64URL.encode($0) },
            aaguid: record.authenticator.aaguid.text
        )
    }

    init(signedIn verified: VerifiedAuthentication) {
        ceremony = "authentication"
        self.verified = true
        credential = Credential(
            id: verified.credentialID.text,
            signCount: verified.signCount,
            backedUp: verified.isBackedUp,
            userVerified: verified.isUserVerified
        )
    }

    /// One sentence for people.
    var sentence: String {
        guard let code, let clause, let explanation else { return "The \(ceremony) is valid." }
        return "The \(ceremony) is not valid: \(explanation) (\(code), \(clause))"
    }
}

extension [String: JSONValue] {
    fileprivate func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }

    fileprivate func bytes(_ name: String) -> [UInt8]? { text(name).flatMap { Base64URL.decode($0) } }
}
