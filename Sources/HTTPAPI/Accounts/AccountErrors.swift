import Accounts
import HTTPTypes
import Operations

// The answers of the routes of accounts, their addresses and their passwords.
extension APIError {
    /// The e-mail address cannot be one.
    ///
    /// What to do: Let the person correct the address.
    static let invalidEmail = APIError(
        "invalid_email",
        "“email” is not an e-mail address. Write one like person@example.com."
    )

    /// The display name is empty, too long or has a line break.
    ///
    /// What to do: Let the person correct the name.
    static let invalidName = APIError("invalid_name", "“name” must have 1 to 200 characters and no line breaks.")

    /// The new password is too short or too long.
    ///
    /// What to do: Let the person choose another password.
    static let weakPassword = APIError(
        "weak_password",
        "A password must have \(PasswordService.length.lowerBound) to \(PasswordService.length.upperBound) characters."
    )

    /// Another account has the e-mail address.
    ///
    /// What to do: Offer to sign in with the address.
    static let emailTaken = APIError(
        "email_taken",
        "An account already has this e-mail address. Sign in with it.",
        status: .conflict
    )

    /// The account's e-mail address is not verified yet.
    ///
    /// What to do: Tell the person to open the link in the mail, then repeat the request.
    static let emailNotVerified = APIError(
        "email_not_verified",
        "Your e-mail address is not confirmed yet. Open the link in the mail that we sent to it.",
        status: .forbidden
    )

    /// The current password beside the new one is wrong.
    ///
    /// What to do: Ask for the current password again.
    static let wrongPassword = APIError(
        "wrong_password",
        "“currentPassword” is not the current password. Try again.",
        status: .forbidden,
        counted: .event(.wrongPassword)
    )

    /// The code for the e-mail address is wrong, expired, or of another sign-in.
    ///
    /// What to do: Let the person type it again, or ask for a new mail.
    static let wrongAddressCode = APIError(
        "wrong_address_code",
        "This code is wrong or no longer valid, or was mailed for another sign-in. Ask for a new mail, then try again.",
        status: .forbidden
    )

    /// The user name has characters or a length that are not allowed.
    ///
    /// What to do: Let the person choose another name.
    static func invalidUsername(atLeast shortest: Int = 1) -> APIError {
        APIError(
            "invalid_username",
            "A user name must have \(shortest) to 64 letters, digits, spaces and . _ - + ', or the form of an e-mail address."
        )
    }

    /// Another account has the user name.
    ///
    /// What to do: Offer to sign in, or another name.
    static let usernameTaken = APIError(
        "username_taken",
        "This name is already in use. To add a passkey to your own account, sign in to it first.",
        status: .conflict
    )
}

extension APIError.Unproven {
    /// The e-mail address or its password is wrong.
    static let credentials = Self("The e-mail address or the password is wrong. Try again.", event: .wrongPassword)
    /// The code that was sent by mail is wrong.
    static let badCode = Self("This code is wrong, or no longer valid. Ask for a new one.", event: .wrongCode)
}

extension AccountError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .badEmail: .invalidEmail
        case .badName: .invalidName
        case .weakPassword: .weakPassword
        case .emailTaken: .emailTaken
        case .badUsername: .invalidUsername()
        case .usernameTaken: .usernameTaken
        // Errors of requests that only operators can send.
        case .badAttribute, .badAttributeValue, .providerAccountTaken, .providerAccountOfNobody, .enrolledAlready,
            .badProviderAccount, .providerAccountNeeded, .unknownAccount, .unknownProvider, .providerFailed, .badImport:
            .internalError
        }
    }
}

extension LockedOutError: APIErrorConvertible {
    var apiError: APIError { .rateLimited(for: wait, by: .wrongPasswords) }
}

extension PasswordHasherBusyError: APIErrorConvertible {
    var apiError: APIError { .rateLimited(for: .seconds(2), by: .passwordsInLine) }
}

extension EmailCodeError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .tooMany(let wait): .rateLimited(for: wait, by: .mailedCodes)
        }
    }
}

extension MailError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .queueFull: .storeUnavailable
        case .unmailableAddress: .invalidEmail
        }
    }
}
