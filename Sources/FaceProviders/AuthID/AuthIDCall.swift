import Kernel
import Operations

/// One request to authID, by what it is for.
enum AuthIDCall: Sendable {
    /// A token pair for the keys.
    case token
    /// A token pair for the refresh token.
    case refresh(Secret)
    case beginTransaction(account: String, seconds: Int64)
    case transactionStatus(ProviderReference)
    case findAccount(String)
    case createAccount(AuthIDNewAccount)

    /// What the log says that was tried.
    var label: String {
        switch self {
        case .token: "asking for a token"
        case .refresh: "refreshing the token"
        case .beginTransaction: "starting a transaction"
        case .transactionStatus: "asking for a transaction's status"
        case .findAccount: "looking an account up"
        case .createAccount: "creating an account"
        }
    }
}
