import Kernel
import Operations

/// One request to authID, by its purpose.
enum AuthIDCall: Sendable {
    /// Requests a token pair with the API keys.
    case token
    /// Requests a token pair with the refresh token.
    case refresh(Secret)
    case beginTransaction(account: String, seconds: Int64)
    case transactionStatus(ProviderReference)
    /// An enrolment, which authID calls an operation.
    case beginOperation(account: String, seconds: Int64)
    case operationStatus(String)
    case operationResult(String)
    case findAccount(String)
    case createAccount(AuthIDNewAccount)

    /// The name of the call in the log.
    var label: String {
        switch self {
        case .token: "asking for a token"
        case .refresh: "refreshing the token"
        case .beginTransaction: "starting a transaction"
        case .transactionStatus: "asking for a transaction's status"
        case .beginOperation: "starting an enrolment"
        case .operationStatus: "asking for an enrolment's status"
        case .operationResult: "asking for an enrolment's result"
        case .findAccount: "looking an account up"
        case .createAccount: "creating an account"
        }
    }
}
