import Devices
import Hummingbird
import Kernel
import Operations
import Sessions
import SignIn
import Web

// Sessions, devices and sign-ins.
extension AccountCentreAPI {
    /// `end`: ends a session of the account with what was opened from it.
    func endSession(_ visit: AccountVisit) async throws -> AccountOutcome {
        let id: SessionID = try visit.parsed()
        guard try await owner.sessions.end(id, of: visit.who.account, by: visit.who.session) else {
            throw AccountThingMissingError()
        }
        return .done(.ended)
    }

    /// `others`: ends every session but the browser's own.
    func endOtherSessions(_ visit: AccountVisit) async throws -> AccountOutcome {
        _ = try await owner.sessions.endOthers(of: visit.who.account, than: visit.who.session)
        return .done(.othersEnded)
    }

    /// `sign-out`: ends the browser's own session.
    func signOut(_ visit: AccountVisit) async throws -> AccountOutcome {
        _ = try await owner.sessions.end(visit.who.session, of: visit.who.account, by: visit.who.session)
        return .answer(farewell(.signedOut, visit))
    }

    /// Returns a last page, which takes the session's cookie away.
    func farewell(_ notice: AccountPageNotice, _ visit: AccountVisit) -> Response {
        var response = pages.notice(notice, at: visit.location, in: visit.texts)
        server.webSessionCookie.remove(from: visit.request, on: &response)
        return response
    }

    /// `device`: forgets a registered device and ends its sessions.
    func removeDevice(_ visit: AccountVisit) async throws -> AccountOutcome {
        let id: DeviceID = try visit.parsed()
        let devices = services.devices.owned
        let listed = try await devices.list(of: visit.who.account, client: nil)
        guard let device = listed.first(where: { $0.device.id == id })?.device,
            try await devices.revoke(id, of: visit.who.account, client: device.name.client)
        else { throw AccountThingMissingError() }
        return .done(.deviceRemoved)
    }

    /// `session`: says what "this wasn't me" ends of a sign-in.
    func showSession(_ visit: AccountVisit) async throws -> Response {
        let id: SessionID = try visit.parsed()
        guard try await services.sessions.sessions.find(id)?.account == visit.who.account else {
            throw AccountThingMissingError()
        }
        return disowning(.session, visit, isOwn: id == visit.who.session)
    }

    /// `session`: disowns the sign-in of a session.
    func disownSession(_ visit: AccountVisit) async throws -> AccountOutcome {
        let id: SessionID = try visit.parsed()
        let isOwn = try await owner.sessions.disown(
            id,
            of: visit.who.account,
            by: visit.who.session,
            keeping: visit.who.device
        )
        guard isOwn else { throw AccountThingMissingError() }
        return id == visit.who.session ? .answer(farewell(.signedOut, visit)) : .done(.disowned)
    }

    /// `login`: says what "this wasn't me" ends of an operation.
    func showLogin(_ visit: AccountVisit) async throws -> Response {
        let id: OperationRowID = try visit.parsed()
        guard let operation = try await services.operations.service.owned(id, by: visit.who.account) else {
            throw AccountThingMissingError()
        }
        return disowning(.login, visit, isOwn: operation.involvedSession == visit.who.session)
    }

    /// `login`: disowns an operation.
    ///
    /// A login or request that no session belongs to ends at one press: an attacker with a stolen cookie gains nothing by
    /// that. If it opened a session, or a session started it, that session ends with all that was set up in it. This
    /// takes the proof that disowning a session takes: the attacker could otherwise remove the owner's passkey and face,
    /// after which the account asks for no more than its password. Ending a session alone needs no proof (`end`).
    func disownLogin(_ visit: AccountVisit) async throws -> AccountOutcome {
        let id: OperationRowID = try visit.parsed()
        let disowner = Disowner(account: visit.who.account, device: visit.who.device)
        guard let owned = try await services.operations.service.disown(id, by: disowner) else {
            throw AccountThingMissingError()
        }
        let isOwn = owned.operation.involvedSession == visit.who.session
        return isOwn ? .answer(farewell(.signedOut, visit)) : .done(.disowned)
    }

    /// Whether a session ends with the operation of the request, and so what was set up in that session.
    ///
    /// The answer for an unknown operation is that of a login without a session.
    func endsSession(_ visit: AccountVisit) async throws -> Bool {
        guard let id = OperationRowID(parsing: visit.id) else { return false }
        return try await services.operations.service.owned(id, by: visit.who.account)?.involvedSession != nil
    }

    private func disowning(_ page: AccountPage, _ visit: AccountVisit, isOwn: Bool) -> Response {
        let texts = visit.texts
        let section = section(
            page,
            visit,
            ends: .notMe,
            hidden: [("id", visit.id)],
            button: .notMe,
            tone: .quiet
        )
        let lead = texts[isOwn ? AccountKey.notMeOwnLead : .notMeLead]
        return form(visit, title: .notMeTitle, lead: lead, sections: [section])
    }

    var owner: OwnerServices { services.accounts.owner }
}
