/// The calls that the mock counts: authID's API and what a browser does on the page.
package enum ProviderCall: String, CaseIterable, Sendable {
    case token
    case refresh
    case accountCreate = "account_create"
    case accountGet = "account_get"
    case accountDelete = "account_delete"
    case transactionCreate = "transaction_create"
    case transactionStatus = "transaction_status"
    case operationCreate = "operation_create"
    case operationStatus = "operation_status"
    case operationResult = "operation_result"
    /// The scan page was shown.
    case page
    /// A button of the scan page was pressed.
    case decide

    package var method: String {
        switch self {
        case .token, .refresh, .accountCreate, .transactionCreate, .operationCreate, .decide: "POST"
        case .accountGet, .transactionStatus, .operationStatus, .operationResult, .page: "GET"
        case .accountDelete: "DELETE"
        }
    }

    /// The path with its variable parts in braces, as the router and the request log write it.
    package var path: String {
        switch self {
        case .token: Self.identity + "/auth/token"
        case .refresh: Self.identity + "/auth/refresh"
        case .accountCreate: Self.accounts
        case .accountGet, .accountDelete: Self.accounts + "/{account}"
        case .transactionCreate: Self.scans + "/transactions"
        case .transactionStatus: Self.scans + "/transactions/{id}/status"
        case .operationCreate: Self.scans + "/operations"
        case .operationStatus: Self.scans + "/operations/{id}/status"
        case .operationResult: Self.scans + "/operations/{id}/result"
        case .page, .decide: "/"
        }
    }

    /// Which faults strike it; `nil` for none.
    package var target: FaultTarget? {
        switch self {
        case .token, .refresh: .token
        case .transactionCreate, .operationCreate: .create
        case .transactionStatus, .operationStatus, .operationResult: .status
        case .accountCreate, .accountGet, .accountDelete, .page, .decide: nil
        }
    }

    private static let identity = "/IDCompleteBackendEngine/IdentityService/v1"
    private static let accounts = "/IDCompleteBackendEngine/Default/AdministrationServiceRest/v1/accounts"
    private static let scans = "/IDCompleteBackendEngine/Default/AuthorizationServiceRest/v2"
}
