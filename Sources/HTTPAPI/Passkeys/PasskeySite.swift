import Kernel
import Passkeys

/// The relying party as pages and apps see it.
struct PasskeySite: Sendable {
    /// The milliseconds that a request may choose as timeout; a challenge expires when the longest has passed.
    static let timeouts = 1_000...600_000

    let party: PasskeyConfiguration
    /// Whether a sign-up with an unused name opens an account.
    let opensAccounts: Bool

    var rpID: String { party.rpID }

    /// Returns the requested RP ID; an empty or missing text means the default one.
    func id(_ asked: String?) throws(APIError) -> String {
        guard let asked, !asked.isEmpty, asked != rpID else { return rpID }
        guard party.customRPIDs.contains(asked) else { throw .relyingPartyNotListed }
        return asked
    }

    /// Returns the requested name; an empty or missing text means the default one.
    func name(_ asked: String?) throws(APIError) -> String {
        guard let asked, !asked.isEmpty, asked != party.rpName else { return party.rpName }
        guard party.customRPNames.contains(asked) || party.takesAnyRPName && Self.isName(asked) else {
            throw .relyingPartyNotListed
        }
        return asked
    }

    /// Returns whether the name is one line without hidden or reordering characters.
    private static func isName(_ text: String) -> Bool {
        guard let label = try? PasskeyInput.label(text) else { return false }
        return !label.isEmpty
    }

    /// Returns the requirement that the authenticator gets and that the server checks.
    func verification(_ asked: UserVerificationRequirement) -> UserVerificationRequirement {
        party.requiresUserVerification ? .required : asked
    }
}
