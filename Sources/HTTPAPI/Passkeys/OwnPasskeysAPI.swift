import Accounts
import Hummingbird
import Kernel
import Passkeys
import Sessions
import SignIn
import Web
import Wire

/// The routes by which owners list, rename and remove their passkeys, and read a summary.
struct OwnPasskeysAPI: Sendable {
    let passkeys: OwnedPasskeys
    let changes: PasskeyChange
    let accounts: AccountService
    let sessions: SessionService
    let coolingOff: CoolingOff
    let enrolmentPolicy: AuthenticatorEnrolmentPolicy
    let ownPages: OwnPages
    let body: JSONBody

    var routes: [Route] {
        let own = SessionAccess.session.orWebSession
        let change = SessionAccess.session(.everyClient, .recent).orWebSession
        return [
            Route(.get, "/api/auth/devices", access: own, use: list),
            Route(.patch, "/api/auth/devices/{id}", access: own, use: rename),
            Route(.delete, "/api/auth/devices/{id}", access: change, use: remove),
            Route(.get, "/api/portfolio/summary", access: own, use: summary),
        ]
    }

    /// `GET /api/auth/devices`: lists the oldest first.
    private func list(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let owned = try await passkeys.list(of: who.account)
        let waits = try await !enrolmentPolicy.countsAtOnce(addedBy: who.means)
        let devices = owned.map { OwnedPasskeyView($0) }
        return JSONReply.encode(OwnedPasskeysResponse(devices: devices, newPasskeysWait: waits))
    }

    /// `PATCH /api/auth/devices/{id}`.
    private func rename(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let label = try PasskeyInput.label(try await body.decode(RenamePasskeyRequest.self, from: request).name)
        let id: PasskeyID = try context.id(else: .passkeyNotFound)
        try await changes.rename(id, to: label, of: who.account, by: who.session)
        return JSONReply.encode(ChangedResponse(message: "Passkey renamed"))
    }

    /// `DELETE /api/auth/devices/{id}`: ends the other sessions that began with the passkey.
    ///
    /// A session may remove the passkey that it began with, and any passkey if it began with more than a password.
    /// Otherwise an attacker who learned the password could add a passkey and remove the owner's.
    private func remove(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let id: PasskeyID = try context.id(else: .passkeyNotFound)
        let requester = context.requester(of: request)
        do {
            try await coolingOff.requireRemoval(of: id, who)
        } catch let error as APIError where error == .passkeyNotFound {
            // An earlier request may have removed the passkey and then failed to update the caches.
            try await changes.settle(who.account)
            throw error
        }
        // The site's own page is the owner's, whatever client the session is of.
        let client = ownPages.surelySent(request) ? AccountVisit.client : who.client
        try await changes.remove(id, of: who.account, by: who.session, client: client, requester: requester)
        return JSONReply.encode(ChangedResponse(message: "Passkey removed"))
    }

    /// `GET /api/portfolio/summary`: sample data that only signed-in people get.
    private func summary(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        guard let record = try await accounts.active(who.account), let session = try await sessions.find(who.session)
        else { throw APIError.unauthorized(.noToken) }
        return JSONReply.encode(
            PortfolioSummaryResponse(
                user: SignedInUser(record.profile),
                signedInAt: session.authentication.at.internetDate,
                passkeys: try await passkeys.list(of: who.account).count
            )
        )
    }
}

extension OwnedPasskeyView {
    init(_ passkey: Passkey) {
        let record = passkey.credential.record
        self.init(
            id: passkey.id.description,
            credentialId: record.id.text,
            name: passkey.label,
            deviceType: passkey.deviceType,
            backedUp: record.backup.isBackedUp,
            transports: record.authenticator.transports,
            createdAt: passkey.createdAt.internetDate
        )
        lastUsedAt = passkey.lastUsedAt?.internetDate
    }
}
