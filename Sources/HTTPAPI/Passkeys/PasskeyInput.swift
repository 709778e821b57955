import Kernel
import Passkeys

/// Validates the members of requests about passkeys.
enum PasskeyInput {
    private static let nameLimit = 320
    private static let labelLimit = 64
    private static let mostAlgorithms = 20

    /// Returns the typed name without surrounding spaces; `nil` for an empty one.
    static func name(_ text: String?) throws(APIError) -> String? {
        guard let text else { return nil }
        let bare = text.trimmed
        guard !bare.isEmpty else { return nil }
        guard text.utf8.count <= 4 * nameLimit, bare.count <= nameLimit else { throw .invalidUsername() }
        // SQLite ends a text at U+0000, so that the stored name would differ from the one that was looked up.
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .invalidUsername()
        }
        return String(bare)
    }

    /// Returns the typed name, which is required here.
    static func requiredName(_ text: String?) throws(APIError) -> String {
        guard let name = try name(text) else { throw .invalidRequest("“username” is missing.") }
        return name
    }

    /// Returns the preferences that the form sets.
    static func preferences(_ asked: PasskeyRegistrationRequest) throws(APIError) -> RegistrationPreferences {
        RegistrationPreferences(
            algorithms: try algorithms(asked.supportedAlgorithmIDs),
            residentKey: try choice(asked.residentKey, "residentKey") ?? .preferred,
            userVerification: try verification(asked.userVerification),
            attestation: try choice(asked.attestationType, "attestationType") ?? .none,
            attachment: try attachment(asked.authenticatorAttachment),
            hints: try hints(asked.preferredAuthenticatorType),
            timeout: try timeout(asked.timeout)
        )
    }

    static func verification(_ text: String?) throws(APIError) -> UserVerificationRequirement {
        try choice(text, "userVerification") ?? .preferred
    }

    /// Returns the attachment; `nil` for the published page's `any`.
    static func attachment(_ text: String?) throws(APIError) -> AuthenticatorAttachment? {
        try text == "any" ? nil : choice(text, "authenticatorAttachment")
    }

    /// Returns the hints (WebAuthn L3 §5.8.7) for the published page's values.
    static func hints(_ text: String?) throws(APIError) -> [AuthenticatorHint] {
        switch text {
        case nil, "", "none": []
        case "securityKey": [.securityKey]
        case "localDevice": [.clientDevice]
        case "remoteDevice": [.hybrid]
        default:
            throw .invalidRequest(
                "“preferredAuthenticatorType” can only be none, securityKey, localDevice or remoteDevice."
            )
        }
    }

    static func timeout(_ asked: LenientNumber?) throws(APIError) -> Int {
        guard let asked else { return CeremonyTimeout.usual }
        guard PasskeySite.timeouts.contains(asked.value) else {
            throw .invalidRequest(
                "“timeout” must be a number of milliseconds from \(PasskeySite.timeouts.lowerBound) to "
                    + "\(PasskeySite.timeouts.upperBound)."
            )
        }
        return asked.value
    }

    /// Returns the supported algorithms among the numbers, in the same order; the default ones without any number.
    static func algorithms(_ asked: [Int]?) throws(APIError) -> [COSEAlgorithm] {
        guard let asked else { return COSEAlgorithm.offered }
        guard (1...mostAlgorithms).contains(asked.count) else {
            throw .invalidRequest("“supportedAlgorithmIDs” must have 1 to \(mostAlgorithms) numbers.")
        }
        let known = asked.compactMap { COSEAlgorithm(rawValue: Int64($0)) }
        guard !known.isEmpty else { throw .algorithmsNotOffered }
        return known
    }

    /// Returns an owner's name for a passkey: one line without hidden or reordering characters.
    static func label(_ text: String) throws(APIError) -> String {
        do { _ = try DeviceInput.label(text) } catch { throw .invalidPasskeyName }
        guard text.unicodeScalars.count <= labelLimit else { throw .invalidPasskeyName }
        return text
    }

    private static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ text: String?,
        _ member: String
    ) throws(APIError) -> Value? {
        guard let text, !text.isEmpty else { return nil }
        guard let value = Value(rawValue: text) else {
            let list = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidRequest("“\(member)” can only be one of \(list).")
        }
        return value
    }
}
