import Kernel
package import Operations

/// The outcome of creating an account.
package enum AccountCreation: Sendable, Equatable {
    case created
    /// An account with that number already exists.
    case existed
}

// Accounts at authID, for `accounts add --enroll`. A login never creates one.
extension AuthIDProvider {
    private static let accountExists = "E_ACCOUNT_ALREADY_EXISTS"

    /// Whether authID has an account with that number.
    package func account(_ number: String) async throws(ProviderError) -> Bool {
        let call = AuthIDCall.findAccount(number)
        let body = try await client.send(call).usable(for: call)
        switch FoundAccount(parsing: body) {
        case .missing: return false
        case .account(number): return true
        case .account, .unreadable: throw .unreadable(call)
        }
    }

    /// Creates an enabled account without a face.
    ///
    /// `number` is a random id that stays with the enrolment. An e-mail address may change its owner, so it is never
    /// used.
    package func createAccount(
        number: String,
        displayName: String,
        email: String?
    ) async throws(ProviderError) -> AccountCreation {
        let call = AuthIDCall.createAccount(AuthIDNewAccount(number: number, displayName: displayName, email: email))
        let answer = try await client.send(call)
        if case .refused(let refusal) = answer, refusal.status == 409, refusal.id == Self.accountExists {
            return .existed
        }
        _ = try answer.usable(for: call)
        return .created
    }
}

/// The result of an account lookup.
private enum FoundAccount: Equatable {
    /// The body is `null`: the account does not exist.
    case missing
    case account(String)
    case unreadable

    init(parsing body: [UInt8]) {
        switch try? JSONReader.read(body) {
        case .null?: self = .missing
        case let value?: self = AuthIDDocument(value)?.text("AccountNumber").map { .account($0) } ?? .unreadable
        case nil: self = .unreadable
        }
    }
}
