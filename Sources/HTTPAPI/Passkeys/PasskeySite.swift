import Kernel
import Passkeys

/// The relying party as pages and apps are told it.
struct PasskeySite: Sendable {
    /// The milliseconds that a request may choose: a challenge expires at the latest then.
    static let timeouts = 1_000...600_000

    let party: PasskeyConfiguration
    /// Whether an unused name opens an account.
    let opensAccounts: Bool

    var rpID: String { party.rpID }

    /// Returns the requested RP ID; an absent or empty text means the usual one.
    func id(_ asked: String?) throws(APIError) -> String {
        guard let asked, !asked.isEmpty, asked != rpID else { return rpID }
        guard party.customRPIDs.contains(asked) else { throw .relyingPartyNotListed }
        return asked
    }

    /// Returns the requested name; an absent or empty text means the usual one.
    func name(_ asked: String?) throws(APIError) -> String {
        guard let asked, !asked.isEmpty, asked != party.rpName else { return party.rpName }
        guard party.customRPNames.contains(asked) || party.takesAnyRPName && Self.isName(asked) else {
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
        party.requiresUserVerification ? .required : asked
    }
}
