package import Hummingbird
package import Kernel
package import OAuth
import Sessions

/// The authorization code grant (RFC 6749 §4.1.3, RFC 7636).
package struct CodeGrant: GrantHandler {
    package let type = OAuthClient.GrantType.authorizationCode
    private let desk: AuthorizationDesk
    private let sessions: OAuthSessions
    private let unitOfWork: any UnitOfWork

    package init(desk: AuthorizationDesk, sessions: OAuthSessions, unitOfWork: any UnitOfWork) {
        self.desk = desk
        self.sessions = sessions
        self.unitOfWork = unitOfWork
    }

    package func answer(
        _ form: OAuthForm,
        _ client: AuthenticatedClient,
        _ request: Request
    ) async throws -> Response {
        let (code, verifier) = (try form.required("code"), try Self.verifier(form))
        let redirectURI = form["redirect_uri"]
        let limits = TokenLimitsRequest(resourcesOf: form)
        try await desk.look(up: code, of: client)
        let proof = try sessions.proof(of: request, client: client.client)
        do {
            let opened = try await unitOfWork.run { [desk, sessions] transaction in
                let redeemed = try desk.redeem(
                    code: code,
                    client: client,
                    redirectURI: redirectURI,
                    verifier: verifier,
                    proofKey: proof?.thumbprint,
                    in: transaction
                )
                try sessions.check(limits, of: redeemed.grant, client: client.client)
                let opened = try sessions.open(redeemed.grant, client: client.client, proof: proof, in: transaction)
                try desk.note(session: opened.session, for: redeemed.code, in: transaction)
                return opened
            }
            return try await sessions.answer(opened, client: client.client, request: limits)
        } catch let replay as CodeReplayed {
            // RFC 6749 §4.1.2, RFC 9700 §4.5.3: two hold one code, so that neither keeps what it opened.
            if let session = replay.session { try await sessions.end(session, because: .refreshReuse, unitOfWork) }
            throw CodeReplayed.answer
        }
    }

    /// A published document calls it `verifier`.
    private static func verifier(_ form: OAuthForm) throws(OAuthError) -> String? {
        guard let text = form["code_verifier"], let other = form["verifier"] else {
            return form["code_verifier"] ?? form["verifier"]
        }
        guard text == other else {
            throw OAuthError(.invalidRequest, "The code_verifier comes twice, and is not the same.")
        }
        return text
    }
}
