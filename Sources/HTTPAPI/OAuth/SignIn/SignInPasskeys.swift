import Hummingbird
import Kernel
import OAuth
package import Passkeys
package import SignIn
import Wire

/// Passkeys on the sign-in page.
///
/// No passkey is named to the browser: whose it is, it says itself. The challenge is tied to the interaction, so that what is
/// signed for another page or another request signs nobody in here.
package struct SignInPasskeys: Sendable {
    private let service: PasskeyService
    private let signIns: PasskeySignIns
    private let site: PasskeySite
    private let source: PasskeySource
    private let links: any DescentStore

    package init(
        service: PasskeyService,
        signIns: PasskeySignIns,
        site: PasskeySite,
        source: PasskeySource,
        links: any DescentStore
    ) {
        self.service = service
        self.signIns = signIns
        self.site = site
        self.source = source
        self.links = links
    }

    /// What the browser is called with.
    func options(_ visit: SignInVisit, _ request: Request, _ context: APIContext) async throws -> RequestOptions {
        try source.admit(.byChallengeID, request, context)
        let order = site.signIn(
            boundTo: Self.binding(visit),
            from: source.digest(request, context),
            verification: visit.needsVerifiedPasskey ? .required : .preferred
        )
        return try await service.begin(order)
    }

    /// Signs in whoever has answered, and in the same unit of work has `service` note it.
    func signIn(
        _ answer: JSONValue,
        _ visit: SignInVisit,
        _ request: Request,
        _ context: APIContext,
        noting authorizations: AuthorizationService
    ) async throws -> Response {
        try source.admit(.byChallengeID, request, context)
        let checked = try await service.check(signIn: answer, from: Self.binding(visit))
        let opened = try await signIns.open(checked, request) { [id = visit.id, links] opened, transaction in
            let claims = opened.claims
            let earlier = try authorizations.prove(
                id,
                Interaction.Proven(account: claims.account, authentication: claims.authentication),
                in: transaction
            )
            if let earlier {
                try links.note(.session(claims.session), of: claims.account, from: earlier, in: transaction)
            }
        }
        var response = JSONReply.encode(ChangedResponse(message: "You are signed in"))
        signIns.set(opened, on: &response, request)
        return response
    }

    /// A cookie's text has no space in it, so that no browser's ceremony can be tied by this one.
    private static func binding(_ visit: SignInVisit) -> ChallengeBinding {
        .cookie(Secret("interaction \(visit.id)"))
    }
}

extension SignInPageAPI {
    /// `POST /oauth/sign-in/{id}/passkey/options`: what the page's script calls the browser with.
    func passkeyOptions(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = try await visitOfScript(request, context)
        let passkeys = try await offered(to: visit)
        return JSONReply.encode(try await passkeys.options(visit, request, context))
    }

    /// `POST /oauth/sign-in/{id}/passkey`: the signature is the sign-in; the page leads on from there.
    func signInWithPasskey(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = try await visitOfScript(request, context)
        let passkeys = try await offered(to: visit)
        let answer = try await body.value(from: request)
        do {
            return try await passkeys.signIn(answer, visit, request, context, noting: service)
        } catch is InteractionOver { throw APIError.operationNotFound }
    }

    /// Passkeys, where the interaction can be helped by one.
    private func offered(to visit: SignInVisit) async throws -> SignInPasskeys {
        guard let passkeys, case .signIn(let ways, _) = try await step(of: visit), ways.contains(.passkey) else {
            throw APIError.operationNotFound
        }
        return passkeys
    }
}
