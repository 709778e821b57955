import Hummingbird
import Kernel
import OAuth
import Operations
import Sessions
import SignIn

extension SignInFaces {
    /// The session that a scan has opened becomes the browser's, and `authorizations` hears who has proved who they are.
    ///
    /// Until that is durable the same grant is handed out again, and makes the same cookie of it, so that an answer can be
    /// lost.
    /// - Throws: ``InteractionOver`` also for a session that was ended meanwhile; ``StoreFailure``.
    func hold(
        _ grant: Grant,
        _ delivery: Delivery,
        _ visit: SignInVisit,
        _ request: Request,
        noting authorizations: AuthorizationDesk,
        on response: inout Response
    ) async throws {
        let cookie = secrets.cookie(of: grant.session, in: visit.id)
        let held = Held(
            interaction: visit.id,
            session: grant.session,
            cookie: Digest256(sha256: cookie.expose()),
            replacing: webCookies.brought(request),
            until: grant.issuedAt + (try siteClient().refreshTokenLifetime),
            proven: Interaction.Proven(
                account: delivery.person.account,
                authentication: AuthenticationFacts(
                    methods: AuthenticationProof.face.methods,
                    at: grant.authenticatedAt,
                    session: grant.session
                )
            )
        )
        try await unitOfWork.run { [self] transaction in
            try open(held, in: transaction)
            let earlier = try authorizations.prove(held.interaction, held.proven, in: transaction)
            if let earlier {
                try links.note(.session(held.session), of: held.proven.account, from: earlier, in: transaction)
            }
        }
        webCookies.set(cookie, on: &response)
        cookies.setDevice(delivery.deviceCookie, of: grant.session, on: &response, for: request)
    }

    /// A session, and what is to stand for it in the browser.
    private struct Held: Sendable {
        let interaction: String
        let session: SessionID
        let cookie: Digest256
        /// What the browser brought.
        let replacing: Digest256?
        let until: Instant
        let proven: Interaction.Proven
    }

    private func open(_ held: Held, in transaction: borrowing Transaction) throws {
        guard try sessions.isOpen(held.session, of: held.proven.account, in: transaction) else {
            throw InteractionOver()
        }
        try browsers.open(
            held.cookie,
            for: held.session,
            // Its tokens are signed for nobody.
            isAlone: true,
            replacing: held.replacing,
            until: held.until,
            in: transaction
        )
    }
}
