package import Accounts
import Hummingbird
package import Kernel
import Operations
package import Sessions
package import SignIn
import Wire

/// Changing the password of whoever is signed in.
package struct PasswordChangeAPI: Sendable {
    private let desk: PasswordDesk
    private let sessions: SessionDesk
    private let access: any AccountAccess
    private let descents: any DescentStore
    private let linked: LinkedDevices
    private let notices: OwnerNotices
    private let unitOfWork: any UnitOfWork
    private let gate: AddressGate
    private let body: JSONBody

    package init(
        desk: PasswordDesk,
        sessions: SessionDesk,
        access: any AccountAccess,
        descents: any DescentStore,
        linked: LinkedDevices,
        notices: OwnerNotices,
        unitOfWork: any UnitOfWork,
        gate: AddressGate,
        bodyLimit: Int
    ) {
        self.desk = desk
        self.sessions = sessions
        self.access = access
        self.descents = descents
        self.linked = linked
        self.notices = notices
        self.unitOfWork = unitOfWork
        self.gate = gate
        body = JSONBody(limit: bodyLimit)
    }

    package var routes: [Route] {
        let access = SessionAccess.session(.everyClient, .recent, heeding: .deviceCookie, .deviceCredential)
        let route = Route(.post, "/auth/password", access: access, change)
        return [route, route.under("/api")]
    }

    /// `POST /auth/password`: after a sign-in of the last ten minutes, and with the old password where there is one, unless
    /// the sign-in was by a mailed code: that is the way back for who has forgotten it.
    ///
    /// All other sessions end, and all other devices with their keys: whoever had the old password may be in one, or have set
    /// up another. The device that stays loses its credential unless the request shows it, its key unless the session is
    /// bound to it, and its push token: the same person may have left his own there.
    @Sendable private func change(
        _ request: Request,
        _ context: APIContext,
        _ who: SignedIn
    ) async throws -> Response {
        let order = try await body.decode(PasswordChangeRequest.self, from: request)
        try gate.admit(.signInsPerAddress, request, context)
        let change = try await proven(order, who, ShownDevice(request))
        let language = AcceptedLanguage.texts(for: request).language
        let kept = KeptAccess(session: who.session, showing: ShownDevice(request))
        guard try await apply(change, who, kept, language) else { throw Problem.wrongPassword }
        try await access.settle(who.account, because: .password)
        return JSONReply.encode(DoneResponse(message: "Password changed"))
    }

    /// What entitles the person to set the new password, which is hashed last: nothing is that can't come to anything.
    ///
    /// Tries of the old one count for the device that the request proves: a session's word for one is no evidence, and who
    /// stole the session would lock the owner's own device out.
    private func proven(
        _ order: PasswordChangeRequest,
        _ who: SignedIn,
        _ evidence: ShownDevice
    ) async throws -> ProvenChange {
        let new = Secret(order.newPassword)
        if let current = order.currentPassword {
            let device = try await unitOfWork.run { [linked] transaction in
                try linked.device(provedBy: evidence, of: who.account, client: who.client, in: transaction)
            }
            let outcome = try await desk.verify(Secret(current), of: who.account, on: device, toSet: new)
            // No 401: apps would refresh after it, in vain, and sign the person out.
            guard outcome != .wrong else { throw Problem.wrongPassword }
            return .replacing(try outcome.verified)
        }
        if who.isMailboxProven { return .resetting(try await desk.hash(new)) }
        let isFirst = try await unitOfWork.run { [desk] in try !desk.hasPassword(who.account, in: $0) }
        guard isFirst else { throw Problem.wrongPassword }
        return .setting(try await desk.hash(new))
    }

    /// All of it in one unit of work; `false` if the old password is another by now, or was not given.
    private func apply(
        _ change: ProvenChange,
        _ who: SignedIn,
        _ kept: KeptAccess,
        _ language: String
    ) async throws -> Bool {
        try await unitOfWork.run { [desk, sessions, access, descents, notices] transaction in
            guard try sessions.isOpen(who.session, of: who.account, in: transaction) else {
                throw Problem.unauthorized(.badToken)
            }
            let isDone =
                switch change {
                case .replacing(let verified): try desk.replace(verified, in: transaction)
                case .resetting(let hash): try desk.reset(hash, of: who.account, in: transaction)
                case .setting(let hash): try desk.set(hash, of: who.account, in: transaction)
                }
            guard isDone else { return false }
            try descents.note(.password, of: who.account, from: who.session, in: transaction)
            try access.endElsewhere(of: who.account, except: kept, because: .password, in: transaction)
            try notices.tell(
                .passwordChanged,
                of: who.account,
                client: who.client,
                language: language,
                in: transaction
            )
            return true
        }
    }
}

/// A new password, and what entitles the person to set it.
private enum ProvenChange: Sendable {
    /// The old one was right.
    case replacing(VerifiedPassword)
    /// A mailed code was: the way back for who has forgotten the old one. The new one's hash.
    case resetting(Secret)
    /// There is none yet. The new one's hash.
    case setting(Secret)
}
