import FoundationEssentials
import Kernel
import Operations
import Outbound

/// Builds authID's requests.
struct AuthIDCalls: Sendable {
    private static let identity = "/IDCompleteBackendEngine/IdentityService/v1/auth"
    private static let accounts = "/IDCompleteBackendEngine/Default/AdministrationServiceRest/v1/accounts"
    private static let transactions = "/IDCompleteBackendEngine/Default/AuthorizationServiceRest/v2/transactions"

    private static let operations = "/IDCompleteBackendEngine/Default/AuthorizationServiceRest/v2/operations"

    private let configuration: AuthIDConfiguration

    init(_ configuration: AuthIDConfiguration) { self.configuration = configuration }

    /// `keyId:keyValue` in Base64, for HTTP's Basic scheme (RFC 7617 §2).
    var basicCredentials: Secret {
        let pair = "\(configuration.keyID.expose()):\(configuration.keyValue.expose())"
        return Secret(Data(pair.utf8).base64EncodedString())
    }

    /// Returns the request for a call, with `access` as its bearer token.
    func request(for call: AuthIDCall, access: Secret? = nil) throws(ProviderError) -> OutboundRequest {
        switch call {
        case .token:
            var request = request(.post, Self.identity + "/token")
            request.headers.append(OutboundHeader("Authorization", "Basic \(basicCredentials.expose())"))
            return request
        case .refresh(let token):
            return try request(.post, Self.identity + "/refresh", json: token.expose(), for: call)
        case .beginTransaction(let account, let seconds):
            return try request(
                .post,
                Self.transactions,
                access: access,
                json: AuthIDBegin(account: account, seconds: seconds),
                for: call
            )
        case .transactionStatus(let reference):
            let transaction = PercentEncoding.component(reference.text)
            return request(.get, "\(Self.transactions)/\(transaction)/status", access: access)
        case .beginOperation(let account, let seconds):
            return try request(
                .post,
                Self.operations,
                access: access,
                json: AuthIDEnrol(account: account, seconds: seconds),
                for: call
            )
        case .operationStatus(let operation):
            return request(.get, "\(Self.operations)/\(PercentEncoding.component(operation))/status", access: access)
        case .operationResult(let operation):
            return request(.get, "\(Self.operations)/\(PercentEncoding.component(operation))/result", access: access)
        case .findAccount(let number):
            return request(.get, "\(Self.accounts)/\(PercentEncoding.component(number))", access: access)
        case .createAccount(let account):
            return try request(.post, Self.accounts, access: access, json: account, for: call)
        }
    }

    private func request(_ method: OutboundMethod, _ path: String, access: Secret? = nil) -> OutboundRequest {
        var headers = [OutboundHeader("Accept", "application/json")]
        if let access { headers.append(OutboundHeader("Authorization", "Bearer \(access.expose())")) }
        return OutboundRequest(
            method,
            .url(configuration.baseURL + path),
            headers: headers,
            timeout: configuration.calls.requestTimeout,
            maxResponseBytes: configuration.calls.maxResponseBytes
        )
    }

    private func request(
        _ method: OutboundMethod,
        _ path: String,
        access: Secret? = nil,
        json: some Encodable,
        for call: AuthIDCall
    ) throws(ProviderError) -> OutboundRequest {
        var request = request(method, path, access: access)
        request.headers.append(OutboundHeader("Content-Type", "application/json"))
        do {
            request.body = Array(try JSONEncoder().encode(json))
        } catch {
            throw .refused(cause: "\(call.label): the request cannot be written as JSON")
        }
        return request
    }
}
