package import Accounts
import Hummingbird
package import Kernel
package import Passkeys
package import Sessions
import Wire

/// Owners see, name and remove their passkeys, and what only a signed-in person sees.
package struct OwnPasskeysAPI: Sendable {
    private let passkeys: OwnedPasskeys
    private let accounts: AccountDesk
    private let sessions: SessionDesk
    private let coolingOff: CoolingOff
    private let unitOfWork: any UnitOfWork
    private let body: JSONBody

    package init(
        passkeys: OwnedPasskeys,
        accounts: AccountDesk,
        sessions: SessionDesk,
        coolingOff: CoolingOff,
        unitOfWork: any UnitOfWork,
        bodyLimit: Int
    ) {
        self.passkeys = passkeys
        self.accounts = accounts
        self.sessions = sessions
        self.coolingOff = coolingOff
        self.unitOfWork = unitOfWork
        body = JSONBody(limit: bodyLimit)
    }

    package var routes: [Route] {
        let own = SessionAccess.session.orWebSession
        let change = SessionAccess.session(.everyClient, .recent).orWebSession
        return [
            Route(.get, "/api/auth/devices", access: own, list),
            Route(.patch, "/api/auth/devices/{id}", access: own, rename),
            Route(.delete, "/api/auth/devices/{id}", access: change, remove),
            Route(.get, "/api/portfolio/summary", access: own, summary),
        ]
    }

    /// `GET /api/auth/devices`: the oldest first.
    @Sendable private func list(
        _ request: Request,
        _ context: APIContext,
        _ who: SignedIn
    ) async throws -> Response {
        let owned = try await passkeys.list(of: who.account)
        return JSONReply.encode(OwnedPasskeysResponse(devices: owned.map { OwnedPasskeyView($0) }))
    }

    /// `PATCH /api/auth/devices/{id}`.
    @Sendable private func rename(
        _ request: Request,
        _ context: APIContext,
        _ who: SignedIn
    ) async throws -> Response {
        let label = try PasskeyInput.label(try await body.decode(RenamePasskeyRequest.self, from: request).name)
        let id = try id(context)
        try await whileOpen(who) { [passkeys] transaction in
            try passkeys.rename(id, of: who.account, to: label, in: transaction)
        }
        return JSONReply.encode(ChangedResponse(message: "Passkey renamed"))
    }

    /// `DELETE /api/auth/devices/{id}`: the other sessions that it opened end.
    ///
    /// The passkey that the session began with, or with more than a password any: else whoever learned the password
    /// would add one of his own and have the account for good.
    @Sendable private func remove(
        _ request: Request,
        _ context: APIContext,
        _ who: SignedIn
    ) async throws -> Response {
        let id = try id(context)
        try await coolingOff.requireRemoval(of: id, who)
        let language = AcceptedLanguage.texts(for: request).language
        try await whileOpen(who) { [passkeys] transaction in
            try passkeys.remove(
                id,
                of: who.account,
                by: who.session,
                client: who.client,
                language: language,
                in: transaction
            )
        }
        try await passkeys.settle(removedFrom: who.account)
        return JSONReply.encode(ChangedResponse(message: "Passkey removed"))
    }

    /// One unit, in which it is asked once more: who was signed out meanwhile changes no passkey.
    private func whileOpen(
        _ who: SignedIn,
        _ change: @escaping @Sendable (borrowing Transaction) throws -> Void
    ) async throws {
        try await unitOfWork.run { [sessions] transaction in
            guard try sessions.isOpen(who.session, of: who.account, in: transaction) else {
                throw Problem.unauthorized(.badToken)
            }
            try change(transaction)
        }
    }

    /// `GET /api/portfolio/summary`: a sample of what a session opens.
    @Sendable private func summary(
        _ request: Request,
        _ context: APIContext,
        _ who: SignedIn
    ) async throws -> Response {
        guard let record = try await accounts.active(who.account), let session = try await sessions.find(who.session)
        else { throw Problem.unauthorized(.noToken) }
        return JSONReply.encode(
            PortfolioSummaryResponse(
                user: SignedInUser(record.profile),
                signedInAt: session.authenticatedAt.internetDate,
                passkeys: try await passkeys.list(of: who.account).count
            )
        )
    }

    private func id(_ context: APIContext) throws -> PasskeyID {
        guard let id = context.parameters.get("id").flatMap({ PasskeyID(parsing: $0) }) else {
            throw Problem.passkeyNotFound
        }
        return id
    }
}

extension OwnedPasskeyView {
    init(_ passkey: Passkey) {
        self.init(
            id: passkey.id.description,
            credentialId: passkey.record.id.text,
            name: passkey.label,
            deviceType: passkey.deviceType,
            backedUp: passkey.record.isBackedUp,
            transports: passkey.record.transports,
            createdAt: passkey.createdAt.internetDate
        )
        lastUsedAt = passkey.lastUsedAt?.internetDate
    }
}
