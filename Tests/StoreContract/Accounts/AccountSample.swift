import Accounts
import Kernel
import Testing

/// Accounts to keep.
enum AccountSample {
    static func id(_ number: UInt64) -> AccountID { AccountID(UUIDBits(high: 0xA, low: number)) }

    static func record(
        _ number: UInt64,
        emails: [String] = [],
        claiming claim: String? = nil,
        enrolments: [Enrolment] = [],
        passwordHash: Secret? = nil
    ) throws -> AccountRecord {
        AccountRecord(
            account: Account(
                id: id(number),
                displayName: "Person \(number)",
                state: .active,
                attributes: AccountAttributes(),
                createdAt: OperationSample.start
            ),
            emails: try emails.map { VerifiedEmail(address: try #require(EmailAddress($0)), isVerified: false) },
            claim: try claim.map { try #require(EmailAddress($0)) },
            enrolments: enrolments,
            passwordHash: passwordHash
        )
    }
}
