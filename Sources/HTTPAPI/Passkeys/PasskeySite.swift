import Kernel
import Passkeys

/// The relying party as pages and apps are told it.
package struct PasskeySite: Sendable {
    /// The milliseconds that a request may choose: a challenge expires at the latest then.
    static let timeouts = 1_000...600_000

    let rpID: String
    let rpName: String
    /// Further RP IDs that a request may choose.
    let customRPIDs: Set<String>
    let customRPNames: Set<String>
    /// Whether a request may choose any name: it is only displayed.
    let takesAnyRPName: Bool
    /// Whether every ceremony requires user verification, whatever a request says.
    let requiresUserVerification: Bool
    /// Whether an unused name opens an account.
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

    /// Returns the requested RP ID; an absent or empty text means the usual one.
    func id(_ asked: String?) throws(APIError) -> String {
        guard let asked, !asked.isEmpty, asked != rpID else { return rpID }
        guard customRPIDs.contains(asked) else { throw .relyingPartyNotListed }
        return asked
    }

    /// Returns the requested name; an absent or empty text means the usual one.
    func name(_ asked: String?) throws(APIError) -> String {
        guard let asked, !asked.isEmpty, asked != rpName else { return rpName }
        guard customRPNames.contains(asked) || takesAnyRPName && Self.isName(asked) else {
            throw .relyingPartyNotListed
        }
        return asked
    }

    /// Whether the name is one line that shows as it is written.
    private static func isName(_ text: String) -> Bool {
        guard let label = try? PasskeyInput.label(text) else { return false }
        return !label.isEmpty
    }

    /// Returns the requirement that the authenticator is told, and that the answer is checked against.
    func verification(_ asked: UserVerificationRequirement) -> UserVerificationRequirement {
        requiresUserVerification ? .required : asked
    }
}
