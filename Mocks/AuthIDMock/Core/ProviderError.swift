/// An error as authID words it: an HTTP status with `{ID, Message}`.
///
/// `E_USER_NOT_AUTHENTICATED` and `E_ACCOUNT_ALREADY_EXISTS` are authID's own; the other ids follow their form.
package struct ProviderError: Error, Equatable, Sendable {
    package let status: Int
    package let id: String
    package let message: String

    package init(status: Int, id: String, message: String) {
        self.status = status
        self.id = id
        self.message = message
    }
}

extension ProviderError {
    package static let notAuthenticated = ProviderError(
        status: 401,
        id: "E_USER_NOT_AUTHENTICATED",
        message: "User is not authenticated."
    )
    package static let accountExists = ProviderError(
        status: 409,
        id: "E_ACCOUNT_ALREADY_EXISTS",
        message: "Account already exists."
    )
    package static let accountUnknown = ProviderError(
        status: 409,
        id: "E_ACCOUNT_NOT_FOUND",
        message: "Account not found."
    )
    package static let notEnrolled = ProviderError(
        status: 409,
        id: "E_ACCOUNT_BIOCREDENTIAL_NOT_FOUND",
        message: "Account has no biometric credential."
    )
    package static let accountLocked = ProviderError(status: 409, id: "E_ACCOUNT_LOCKED", message: "Account is locked.")
    package static let notFound = ProviderError(status: 404, id: "E_NOT_FOUND", message: "Not found.")
    package static let transactionUnknown = ProviderError(
        status: 404,
        id: "E_TRANSACTION_NOT_FOUND",
        message: "Transaction not found."
    )
    package static let operationUnknown = ProviderError(
        status: 404,
        id: "E_OPERATION_NOT_FOUND",
        message: "Operation not found."
    )
    package static let tooManyRequests = ProviderError(
        status: 429,
        id: "E_TOO_MANY_REQUESTS",
        message: "Too many requests."
    )
    package static let internalError = ProviderError(
        status: 500,
        id: "E_INTERNAL_ERROR",
        message: "Internal server error."
    )
    /// The answer of `/transactions` to the name of an operation: authID runs into a fault of its own there.
    package static let wrongFamily = ProviderError(
        status: 500,
        id: "E_INTERNAL_ERROR",
        message: "Object reference not set to an instance of an object."
    )
    package static let full = ProviderError(
        status: 503,
        id: "E_MOCK_FULL",
        message: "The mock holds no more of these. POST /_mock/reset empties it."
    )

    /// The answer of `/operations` to an unknown name, such as `Verify_Identity`.
    package static func operationNameUnknown(_ name: String) -> ProviderError {
        ProviderError(
            status: 404,
            id: "E_OPERATION_NOT_FOUND",
            message: "Operation with name \(name.prefix(64)) not found."
        )
    }

    package static func invalidRequest(_ message: String) -> ProviderError {
        ProviderError(status: 400, id: "E_INVALID_REQUEST", message: message)
    }
}
