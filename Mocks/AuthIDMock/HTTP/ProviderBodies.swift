import FoundationEssentials
import Kernel

// authID's bodies. The property names are ours; the wire's are in the coding keys.

struct TokenBody: Encodable {
    let accessToken: String
    let refreshToken: String
    let accessTokenExpirationDate: String

    init(_ pair: TokenBook.Pair) {
        accessToken = pair.access.expose()
        refreshToken = pair.refresh.expose()
        accessTokenExpirationDate = pair.accessExpires.iso8601
    }

    enum CodingKeys: String, CodingKey {
        case accessToken = "AccessToken"
        case refreshToken = "RefreshToken"
        case accessTokenExpirationDate = "AccessTokenExpirationDate"
    }
}

struct AccountBody: Codable {
    var accountNumber: String
    var displayName: String?
    var email: String?
    var description: String?
    var phoneNumber: String?
    var enabled: Bool?
    var custom: Bool?
    var rules: Int?
    var version: Int?

    init(_ account: Account) {
        accountNumber = account.number
        displayName = account.displayName
        email = account.email
        description = account.description
        phoneNumber = account.phoneNumber
        enabled = account.isEnabled
        custom = account.isCustom
        rules = account.rules
        version = account.version
    }

    var account: Account {
        Account(
            number: accountNumber,
            displayName: displayName ?? "",
            email: email ?? "",
            description: description,
            phoneNumber: phoneNumber,
            isEnabled: enabled ?? true,
            isCustom: custom ?? true,
            rules: rules ?? 1,
            version: version ?? 0
        )
    }

    enum CodingKeys: String, CodingKey {
        case accountNumber = "AccountNumber"
        case displayName = "DisplayName"
        case email = "Email"
        case description = "Description"
        case phoneNumber = "PhoneNumber"
        case enabled = "Enabled"
        case custom = "Custom"
        case rules = "Rules"
        case version = "Version"
    }
}

/// The body of `POST transactions` and of `POST operations`, as far as the mock looks at it.
struct ScanRequestBody: Decodable {
    let accountNumber: String
    let name: String
    let timeout: Int?

    enum CodingKeys: String, CodingKey {
        case accountNumber = "AccountNumber"
        case name = "Name"
        case timeout = "Timeout"
    }

    /// Throws 400 for an empty account or a timeout outside of a second to a day; an hour when there is none.
    func control(_ kind: ScanKind) throws(ProviderError) -> ScanControl {
        guard !accountNumber.isEmpty else { throw .invalidRequest("AccountNumber is empty.") }
        let seconds = timeout ?? 3600
        guard (1...86_400).contains(seconds) else {
            throw .invalidRequest("Timeout is \(seconds), but must be between 1 and 86400 seconds.")
        }
        return ScanControl(kind: kind, accountNumber: accountNumber, timeout: .seconds(seconds))
    }
}

struct CreatedTransactionBody: Encodable {
    let transactionID: String
    let oneTimeSecret: String

    enum CodingKeys: String, CodingKey {
        case transactionID = "TransactionId"
        case oneTimeSecret = "OneTimeSecret"
    }
}

struct CreatedOperationBody: Encodable {
    let operationID: String
    let oneTimeSecret: String

    enum CodingKeys: String, CodingKey {
        case operationID = "OperationId"
        case oneTimeSecret = "OneTimeSecret"
    }
}

extension Instant {
    /// UTC with milliseconds, as `2025-01-31T09:05:00.250Z`.
    var iso8601: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            .formatted(
                .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted)
            )
    }
}
