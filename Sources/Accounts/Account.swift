package import Kernel

/// A person's account, by whatever means they sign in.
///
/// It may have no e-mail address.
package struct Account: Sendable, Equatable {
    package let id: AccountID
    package let displayName: String
    package let state: State
    package let attributes: AccountAttributes
    package let createdAt: Instant

    /// The display name of every closed account.
    package static let closedName = "(closed)"

    package init(id: AccountID, displayName: String, state: State, attributes: AccountAttributes, createdAt: Instant) {
        self.id = id
        self.displayName = displayName
        self.state = state
        self.attributes = attributes
        self.createdAt = createdAt
    }

    /// Returns the name if it can be displayed, and otherwise throws ``AccountError/badName``.
    static func checked(name: String) throws(AccountError) -> String {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            // Marks that turn text around or hide it are refused. The two joiners belong to letters in several scripts.
            case .format: scalar.value == 0x200C || scalar.value == 0x200D
            default: true
            }
        }
        guard (1...200).contains(name.count), name.utf8.count <= 1000, isPlain else { throw .badName }
        return name
    }

    /// Whether the person can sign in.
    package enum State: String, Sendable, CaseIterable {
        case active, disabled
    }
}

/// The attributes that an operator gives an account, and that profile answers carry.
///
/// Clients can't set them.
package struct AccountAttributes: Sendable, Equatable {
    /// The attributes that clients know, with their defaults.
    package static let defaults = ["role": "user", "accessLevel": "basic", "department": ""]

    package let given: [String: String]

    package init(_ given: [String: String] = [:]) { self.given = given }

    package var role: String { self["role"] }
    package var accessLevel: String { self["accessLevel"] }
    package var department: String { self["department"] }
    /// The wallet's name; `nil` if none was given, and the account's id is used instead.
    package var walletID: String? { given["walletId"] }

    private subscript(name: String) -> String { given[name] ?? Self.defaults[name] ?? "" }

    /// The only values that clients can decode; attributes with other names have no list of values.
    private static let closed: [String: [String]] = [
        "role": ["admin", "manager", "technician", "user"],
        "accessLevel": ["basic", "standard", "elevated", "admin"],
    ]

    /// Parses words like `role=admin`.
    package init(parsing words: [String]) throws(AccountError) {
        var given: [String: String] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, Self.isName(parts[0]) else { throw .badAttribute(word) }
            try Self.check(parts[0], parts[1])
            given[parts[0]] = parts[1]
        }
        self.given = given
    }

    private static func check(_ name: String, _ value: String) throws(AccountError) {
        guard value.utf8.count <= 200, !value.contains(where: \.isNewline) else { throw .badAttribute(name) }
        guard let allowed = closed[name] else { return }
        guard allowed.contains(value) else { throw .badAttributeValue(name: name, value: value, allowed: allowed) }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_")
            }
    }
}

/// An error in a request about accounts, with a stable code and a message that says what to do.
package enum AccountError: Error, Equatable, Sendable {
    case badEmail(String)
    case badName
    case badAttribute(String)
    case badAttributeValue(name: String, value: String, allowed: [String])
    case emailTaken(String)
    case badUsername
    case usernameTaken
    case providerAccountTaken(String)
    case providerAccountOfNobody
    /// The account already has a face, or a name, at that provider.
    case enrolledAlready(String)
    case badProviderAccount
    /// The provider creates no accounts on request, so that an existing one has to be named.
    case providerAccountNeeded(String)
    case unknownAccount(String)
    case unknownProvider(String)
    case providerFailed(provider: String, cause: String)
    case weakPassword
    case badImport(line: Int, reason: String)

    package var code: String {
        switch self {
        case .badEmail: "invalid_email"
        case .badName: "invalid_name"
        case .badAttribute, .badAttributeValue: "invalid_attribute"
        case .emailTaken: "email_taken"
        case .badUsername: "invalid_username"
        case .usernameTaken: "username_taken"
        case .providerAccountTaken: "provider_account_taken"
        case .providerAccountOfNobody: "provider_required"
        case .enrolledAlready: "enrolled_already"
        case .badProviderAccount: "invalid_provider_account"
        case .providerAccountNeeded: "provider_account_required"
        case .unknownAccount: "account_not_found"
        case .unknownProvider: "provider_not_found"
        case .providerFailed: "provider_failed"
        case .weakPassword: "weak_password"
        case .badImport: "invalid_import"
        }
    }

    package var message: String {
        switch self {
        case .badEmail(let text): "“\(text)” is not an e-mail address. Write one like person@example.com."
        case .badName: "A name must have 1 to 200 characters and no line breaks."
        case .badAttribute(let word): "“\(word)” is not an attribute. Write NAME=VALUE, like role=admin."
        case .badAttributeValue(let name, let value, let allowed):
            "\(name) can't be “\(value)”. It must be one of \(allowed.joined(separator: ", "))."
        case .emailTaken(let email): "There is already an account with \(email). See it with `accounts show \(email)`."
        case .badUsername:
            "A user name must have 1 to 64 letters, digits, spaces and . _ - + ', or the form of an e-mail address."
        case .usernameTaken: "This user name is already in use. Choose another one."
        case .providerAccountTaken(let reference):
            "The provider account \(reference) already belongs to another account."
        case .providerAccountOfNobody: "A provider account needs its provider. Name it with --provider."
        case .enrolledAlready(let name): "The account is already enrolled with \(name)."
        case .badProviderAccount: "A provider account's name must have 1 to 256 characters and no line breaks."
        case .providerAccountNeeded(let name):
            "\(name) makes no accounts by itself. Name an existing one with --provider-account."
        case .unknownAccount(let name): "The account \(name) is unknown. `accounts list` shows all accounts."
        case .unknownProvider(let name):
            "The provider \(name) is unknown or can't enrol accounts. See `providers` in the config."
        case .providerFailed(let provider, let cause):
            "\(provider) could not be asked, and nothing was changed: \(cause). Try again."
        case .weakPassword: "A password must have 12 to 1024 characters."
        case .badImport(let line, let reason): "Line \(line): \(reason)"
        }
    }
}
