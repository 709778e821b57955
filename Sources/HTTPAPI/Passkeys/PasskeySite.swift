import Kernel
import Passkeys

/// The relying party as pages and apps are told of it.
package struct PasskeySite: Sendable {
    /// Milliseconds that a request may ask for: a challenge is not good for longer.
    static let timeouts = 1_000...600_000

    let rpID: String
    let rpName: String
    /// Others that a request may ask for.
    let customRPIDs: Set<String>
    let customRPNames: Set<String>
    /// Whether a request may ask for any name: people are shown it, and nothing else hangs on it.
    let takesAnyRPName: Bool
    /// Whether everybody has to show face, finger or PIN, whatever a request says.
    let requiresUserVerification: Bool
    /// Whether a name that nobody has opens an account.
    let opensAccounts: Bool

    package init(
        rpID: String,
        rpName: String,
        customRPIDs: [String],
        customRPNames: [String],
        takesAnyRPName: Bool = false,
        requiresUserVerification: Bool,
        opensAccounts: Bool
    ) {
        self.rpID = rpID
        self.rpName = rpName
        self.customRPIDs = Set(customRPIDs)
        self.customRPNames = Set(customRPNames)
        self.takesAnyRPName = takesAnyRPName
        self.requiresUserVerification = requiresUserVerification
        self.opensAccounts = opensAccounts
    }

    /// The RP ID that is asked for; nothing, or an empty text, is the usual one.
    func id(_ asked: String?) throws(APIError) -> String {
        guard let asked, !asked.isEmpty, asked != rpID else { return rpID }
        guard customRPIDs.contains(asked) else { throw .relyingPartyNotListed }
        return asked
    }

    /// The name that is asked for, likewise.
    func name(_ asked: String?) throws(APIError) -> String {
        guard let asked, !asked.isEmpty, asked != rpName else { return rpName }
        guard customRPNames.contains(asked) || takesAnyRPName && Self.isName(asked) else {
            throw .relyingPartyNotListed
        }
        return asked
    }

    /// One line that shows as it is written.
    private static func isName(_ text: String) -> Bool {
        guard let label = try? PasskeyInput.label(text) else { return false }
        return !label.isEmpty
    }

    /// What the authenticator is told, and the answer is held to.
    func verification(_ asked: UserVerificationRequirement) -> UserVerificationRequirement {
        requiresUserVerification ? .required : asked
    }
}
