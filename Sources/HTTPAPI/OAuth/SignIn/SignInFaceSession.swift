import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn

extension SignInFaces {
    /// Makes the session that a scan has opened the browser's, and tells `authorizations` who has proved who they are.
    ///
    /// Until that is durable the same grant is handed out again, and makes the same cookie of it, so that an answer can be
    /// lost.
    /// - Throws: ``InteractionOver`` also for a session that was ended meanwhile; ``StoreFailure``.
    func hold(
        _ grant: Grant,
        _ delivery: Delivery,
        _ visit: SignInVisit,
        _ request: Request,
        noting authorizations: AuthorizationService,
        on response: inout Response
    ) async throws {
        let cookie = secrets.cookie(of: grant.session, in: visit.id)
        let claims = SessionClaims(grant, of: delivery.person.account, boundTo: nil)
        try await browsers.open(
            .init(
                cookie,
                replacing: webCookies.brought(request),
                until: grant.issuedAt + (try siteClient().refreshTokenLifetime)
            ),
            for: Interaction.Proven(account: claims.account, authentication: claims.authentication),
            in: visit.id,
            noting: authorizations
        )
        webCookies.set(cookie, on: &response)
        cookies.setDevice(delivery.deviceCookie, of: grant.session, on: &response, for: request)
    }
}
