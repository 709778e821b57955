import HTTPTypes
import Hummingbird
import OAuth
import TokenReading

extension OAuthReply {
    /// An answer to a client that asks directly: what it is refused with is told in the terms of the protocol.
    ///
    /// Everything else that goes wrong is the edge's: too many requests, a store that is away.
    static func guarding(_ request: Request, _ answer: () async throws -> Response) async throws -> Response {
        do {
            return try await answer()
        } catch let refusal as OAuthError {
            return error(refusal, usedBasic: request.headers[.authorization] != nil)
        } catch Problem.invalidDPoPProof(let fault, _) {
            // RFC 9449 §5.
            return error(OAuthError(.invalidDPoPProof, "The DPoP proof is not good here (\(fault.rawValue))."))
        }
    }
}

extension TokenLimitsRequest {
    /// What a token request says of the token that it asks for, where it may not change the scope.
    init(resourcesOf form: OAuthForm) { self.init(resources: form.all("resource")) }
}
