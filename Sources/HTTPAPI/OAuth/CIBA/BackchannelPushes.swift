import Kernel
import NIOCore
import OAuth
import Operations
import SignIn

/// Produces the results that are pushed to clients (CIBA Core §10.3.1, §12): tokens or an error.
struct BackchannelPushes: BackchannelResults {
    let flow: BackchannelFlow
    let tokens: TokenSet
    let clients: OAuthClientDirectory

    /// The decision is stored but not yet in the cache, so that the push has to be retried.
    private struct NotCachedYetError: Error {}

    func result(of pending: PendingBackchannel, authReqID: Secret) async throws -> [UInt8]? {
        guard let client = clients.client(pending.access.clientID), client.isEnabled else { return nil }
        switch try await flow.collect(pending, for: client, nil, authReqID: authReqID) {
        case .pending: throw NotCachedYetError()
        case .delivered: return nil
        case .failed(let code): return Self.encode(PushedError(authReqID: authReqID, OAuthError(code)))
        case .granted(let session):
            guard let opened = try await flow.granted(session, to: client, nil) else { return nil }
            let issued = try await tokens.first(opened, client, limits: opened.limits(of: client), isPushed: true)
            return Self.encode(PushedTokens(authReqID: authReqID.expose(), tokens: TokenMembers(issued)))
        }
    }

    func acknowledge(_ pending: PendingBackchannel) async throws { try await flow.acknowledge(pending) }

    private static func encode(_ value: some Encodable) -> [UInt8]? {
        JSONReply.json(value).map { Array($0.readableBytesView) }
    }
}

/// The members of the token endpoint's answer with the id of their request.
private struct PushedTokens: Encodable {
    let authReqID: String
    let tokens: TokenMembers

    enum CodingKeys: String, CodingKey {
        case authReqID = "auth_req_id"
    }

    func encode(to encoder: any Encoder) throws {
        try tokens.encode(to: encoder)
        var own = encoder.container(keyedBy: CodingKeys.self)
        try own.encode(authReqID, forKey: .authReqID)
    }
}

private struct PushedError: Encodable {
    let authReqID: String
    let error: String
    let errorDescription: String

    init(authReqID: Secret, _ error: OAuthError) {
        self.authReqID = authReqID.expose()
        self.error = error.code.rawValue
        errorDescription = error.description
    }

    enum CodingKeys: String, CodingKey {
        case authReqID = "auth_req_id"
        case error
        case errorDescription = "error_description"
    }
}
