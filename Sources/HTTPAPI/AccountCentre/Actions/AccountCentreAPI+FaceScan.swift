import Hummingbird
import Kernel
import Operations
import Web

// The scan that sets a face up, which has a tab of its own: not every provider sends the browser back.
extension AccountCentreAPI {
    /// Sends the browser to the page that waits for the scan.
    func awaitScan(_ begun: BegunOperation) -> Response {
        var response = Response.seeOther("\(AccountPage.faceScan.rawValue)?id=\(begun.publicID)")
        response.set(
            OutgoingCookie(
                name: Self.ticketName(begun.operation.credentials.publicID),
                value: begun.ticket,
                path: "/account",
                maxAge: begun.operation.request.policy.timing.lifetime,
                isSecure: server.isSecure
            )
        )
        return response
    }

    /// `face-scan`: the progress of the scan, and the way back to the overview once the face is set up.
    func showFaceScan(_ visit: AccountVisit) async throws -> Response {
        guard let enrolment = changes.enrolment, let id = UUIDBits(visit.id),
            let view = try await enrolment.progress(of: id, for: visit)
        else { throw AccountThingMissingError() }
        switch view {
        case .pending(let hint, _, let timeLeft):
            let content = waiting(for: id, hint: hint, timeLeft: timeLeft, enrolment: enrolment, visit: visit)
            return pages.render(content, at: visit.location, in: visit.texts)
        case .failed(let code, _): return failed(code, visit)
        case .completed, .delivered, .attested: return try await finish(.done(.faceAdded), visit)
        }
    }

    private func waiting(
        for id: UUIDBits,
        hint: PendingHint,
        timeLeft: Duration,
        enrolment: EnrolmentAPI,
        visit: AccountVisit
    ) -> AccountContent {
        let texts = visit.texts
        let wait = AccountContent.Wait(
            events: visit.location.site("api/auth/biometric-enrollment/events/\(id)"),
            look: "\(visit.location.path(.faceScan))?id=\(id)",
            secondsLeft: timeLeft.secondsRoundedUp,
            scan: ticket(of: id, enrolment, visit.request).map { "\(server.publicURL)/go/\($0.expose())" },
            steps: ScanSteps.of(hint, in: texts),
            state: hint == .providerDegraded ? texts[ScriptKey.providerDegraded] : ""
        )
        let section = AccountContent.Section(anchor: "scanning", wait: wait)
        return AccountContent(title: texts[SiteKey.waitingTitle], back: visit.location.home, sections: [section])
    }

    private func failed(_ code: FailureCode, _ visit: AccountVisit) -> Response {
        let again = AccountContent.Act(
            label: visit.texts[AccountKey.faceAgain],
            link: visit.location.path(.face),
            tone: ButtonStyle.primary.rawValue
        )
        return form(
            visit,
            title: .faceTitle,
            lead: visit.texts.failure(code, of: .enroll),
            sections: [.init(anchor: "again", acts: .init([again]))]
        )
    }

    /// Returns the ticket in the request's cookie, if it belongs to the enrolment: a tossed cookie has no effect.
    private func ticket(of id: UUIDBits, _ enrolment: EnrolmentAPI, _ request: Request) -> Secret? {
        let publicID = Digest256(sha256: id)
        guard let ticket = IncomingCookies(request)[Self.ticketName(publicID)],
            let held = enrolment.service.cache.card(publicID)?.operation.credentials.ticket,
            Digest256(sha256: ticket.expose()).matches(held)
        else { return nil }
        return ticket
    }

    /// Returns the cookie's name, different for each enrolment, so that two in one browser do not overwrite each other.
    private static func ticketName(_ operation: Digest256) -> String {
        "vst_enrol_" + String(operation.prefixWord, radix: 36)
    }
}

extension EnrolmentAPI {
    /// Returns the state of an enrolment that the visitor's session began; `nil` for any other one.
    fileprivate func progress(of id: UUIDBits, for visit: AccountVisit) async throws -> PollView? {
        let (publicID, caller) = (Digest256(sha256: id), Caller(session: visit.who.session))
        try following.following.admit(caller, to: publicID, isPoll: true, for: visit.request, in: visit.context)
        try following.following.checkIssued(id, publicID)
        guard try await service.isStarted(publicID, as: .enroll, by: visit.who.session) else { return nil }
        return try await service.poll(publicID, caller)
    }
}
