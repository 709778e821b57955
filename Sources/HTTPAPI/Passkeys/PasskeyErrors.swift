import HTTPTypes
import Operations
import Passkeys
import SignIn

// The errors of the routes of passkeys.
extension APIError {
    /// The surface opens no accounts.
    ///
    /// What to do: Have the operator add the account or set `surfaces.NAME.registration`.
    static let registrationClosed = APIError(
        "registration_closed",
        "You can’t open an account here yourself. Ask your administrator for one.",
        status: .forbidden
    )

    /// The config has no relying party for that domain or name.
    ///
    /// What to do: Correct the page's domain, or add it under `passkeys`.
    static let relyingPartyNotListed = APIError(
        "relying_party_not_listed",
        "This server makes no passkeys for that domain or name. Check the relying party."
    )

    /// The client offers no algorithm that the server verifies.
    ///
    /// What to do: Correct the client: offer ES256 (-7).
    static let algorithmsNotOffered = APIError(
        "algorithms_not_offered",
        "No algorithm in “supportedAlgorithmIDs” is supported here. Add ES256 (-7)."
    )

    /// The challenge was used, has expired, or is another caller's.
    ///
    /// What to do: Start the ceremony again from its options.
    static let challengeOver = APIError(
        "challenge_over",
        "This request was already answered, took longer than ten minutes, or is not yours. Start again."
    )

    /// No account has the passkey.
    ///
    /// What to do: Offer another passkey, or another way to sign in.
    static let unknownPasskey = APIError(
        "unknown_passkey",
        "This passkey is unknown here. Use a different one, or sign up.",
        counted: .event(.wrongSignature)
    )

    /// A step of the ceremony failed (WebAuthn §7).
    ///
    /// What to do: Try again. `vestibule passkeys verify` tells the step to the operator.
    ///
    /// `reason` tells the client's developers why.
    static func passkeyRefused(reason: String) -> APIError {
        APIError("passkey_refused", reason, counted: .event(.wrongSignature))
    }

    /// An account has the passkey already.
    ///
    /// What to do: Offer to sign in with it.
    static let passkeyRegistered = APIError(
        "passkey_already_registered",
        "This passkey is registered already. Sign in with it.",
        status: .conflict
    )

    /// The account has no passkey of that id.
    ///
    /// What to do: List the passkeys again.
    static let passkeyNotFound = APIError(
        "passkey_not_found",
        "You have no such passkey. List your passkeys again.",
        status: .notFound
    )

    /// The passkey is the account's only way to sign in.
    ///
    /// What to do: Let the person add another passkey first.
    static let lastPasskey = APIError(
        "last_passkey",
        "This is your only way to sign in. Add another passkey, then remove this one."
    )

    /// The account has as many passkeys as it may have.
    ///
    /// What to do: Let the person remove a passkey, then repeat the ceremony.
    static let tooManyPasskeys = APIError(
        "too_many_passkeys",
        "You have \(OwnedPasskeys.mostOwned) passkeys already. Remove one of them, then add this one.",
        status: .conflict
    )

    /// The passkey's name is empty, too long, or has characters that hide.
    ///
    /// What to do: Let the person choose another name.
    static let invalidPasskeyName = APIError(
        "invalid_passkey_name",
        "“name” must be one line of 1 to 64 characters, without hidden characters."
    )
}

extension APIError.Unproven {
    /// The passkey belongs to a disabled account.
    static let passkey = Self(
        "This passkey can’t sign in at the moment. Ask your administrator.",
        event: .wrongSignature
    )
}

extension PasskeyError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .challengeOver: .challengeOver
        case .unknownPasskey: .unknownPasskey
        case .registeredAlready: .passkeyRegistered
        case .ceremony(let error): .passkeyRefused(reason: error.fault.explanation)
        case .notAccepted:
            .passkeyRefused(
                reason: "This is not an answer of one of the name’s passkeys, for this site and with the requested "
                    + "checks. Try again, and let the device verify you."
            )
        case .noRelyingParty: .relyingPartyNotListed
        case .badName: .invalidUsername()
        case .nameTaken: .usernameTaken
        case .registrationClosed: .registrationClosed
        case .signInTooOld: .stepUpRequired
        case .tooMany: .tooManyPasskeys
        case .notFound: .passkeyNotFound
        case .last: .lastPasskey
        }
    }
}

extension PasskeySignIn.RefusedError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .account: .unauthorized(.passkey)
        case .session: .challengeOver
        }
    }
}
