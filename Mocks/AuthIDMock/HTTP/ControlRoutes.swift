import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// `/_mock`: what testers steer and look at.
///
/// It has no keys; the mock listens on loopback for that reason.
struct ControlRoutes: Sendable {
    let backend: MockBackend
    let sender: WebhookSender

    func add(to router: Router<MockContext>) {
        let control = router.group("/_mock").add(middleware: ControlErrors()).add(middleware: SameSiteOnly())
        control.get("scans", use: listScans)
        control.get("scans/{id}", use: showScan)
        control.post("scans/{id}/outcome", use: decide)
        control.put("scenarios/{account}", use: setScenario)
        control.get("faults", use: listFaults)
        control.put("faults", use: setFault)
        control.delete("faults", use: clearFaults)
        control.post("reset", use: reset)
        control.get("requests", use: showJournal)
        control.get("accounts", use: listAccounts)
        control.put("accounts/{account}", use: enroll)
        WebhookControl(backend: backend, sender: sender).add(to: control)
        ConsoleRoutes(backend: backend, sender: sender).add(to: control)
        RecordingRoutes(backend: backend).add(to: control)
    }

    @Sendable private func listScans(_ request: Request, _: MockContext) async throws -> Response {
        let query = FormFields(request.uri.query ?? "")
        let limit = try query.limit(default: 100)
        let views = backend.with { state, now in
            state.listScans(limit: limit, account: query["account"]).map { ScanView($0, now: now) }
        }
        return try JSONReply(ScanListView(scans: views)).response
    }

    @Sendable private func showScan(_: Request, _ context: MockContext) async throws -> Response {
        let id = try scanID(context)
        let view = backend.with { state, now in state.scan(id).map { ScanView($0, now: now) } }
        guard let view else { throw DecisionError.unknownScan }
        return try JSONReply(view).response
    }

    @Sendable private func decide(_ request: Request, _ context: MockContext) async throws -> Response {
        let id = try scanID(context)
        let command = try await request.json(OutcomeRequest.self, in: context)
        let view = try backend.with { state, now throws(DecisionError) in
            let scan = try state.decide(id, command.outcome, after: command.after, now: now)
            state.recordOutcome(command.outcome, of: scan, after: command.after, now: now)
            return ScanView(scan, now: now)
        }
        return try JSONReply(view).response
    }

    @Sendable private func setScenario(_ request: Request, _ context: MockContext) async throws -> Response {
        let account = try context.pathText("account")
        let scenario = try await request.json(Scenario.self, in: context)
        try backend.with { state, now throws(ProviderError) in
            try state.setScenario(scenario, for: account)
            state.record(now: now) { $0.scenario = AccountScenario(account: account, scenario: scenario) }
        }
        return try JSONReply(ScenarioView(account: account, stepsLeft: scenario.stepsLeft, repeat: scenario.repeats))
            .response
    }

    @Sendable private func listFaults(_: Request, _: MockContext) async throws -> Response {
        let views = backend.with { state, _ in state.listFaults().map { FaultView($0.rule, strikes: $0.strikes) } }
        return try JSONReply(FaultListView(faults: views)).response
    }

    @Sendable private func setFault(_ request: Request, _ context: MockContext) async throws -> Response {
        let rule = try await request.json(FaultRule.self, in: context)
        let random = backend.inputs.randomBytes
        backend.with { state, now in
            state.setFault(rule, random: random)
            state.record(now: now) { $0.fault = rule }
        }
        return try JSONReply(FaultView(rule, strikes: 0)).response
    }

    @Sendable private func clearFaults(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, now in
            state.clearFaults()
            state.record(now: now) { $0.clearsFaults = true }
        }
        return Response(status: .noContent)
    }

    @Sendable private func reset(_: Request, _: MockContext) async throws -> Response {
        let random = backend.inputs.randomBytes
        backend.with { state, _ in state.reset(random: random) }
        return Response(status: .noContent)
    }

    @Sendable private func showJournal(_ request: Request, _: MockContext) async throws -> Response {
        let limit = try FormFields(request.uri.query ?? "").limit(default: 100)
        return try JSONReply(backend.with { state, _ in RequestLogView(state.requestLog, limit: limit) }).response
    }

    @Sendable private func listAccounts(_ request: Request, _: MockContext) async throws -> Response {
        let limit = try FormFields(request.uri.query ?? "").limit(default: 100)
        let views = backend.with { state, now in
            state.listAccounts(limit: limit).map { accountView($0, in: state, now: now) }
        }
        return try JSONReply(AccountListView(accounts: views)).response
    }

    @Sendable private func enroll(_ request: Request, _ context: MockContext) async throws -> Response {
        let number = try context.pathText("account")
        let command = try await request.json(EnrollRequest.self, in: context)
        let view = try backend.with { state, now throws(ProviderError) in
            try state.enroll(
                number,
                isEnrolled: command.enrolled,
                displayName: command.displayName,
                email: command.email
            )
            state.record(now: now) {
                $0.enrolment = AccountEnrolment(account: number, isEnrolled: command.enrolled)
            }
            return accountView(state.account(number) ?? Account(number: number), in: state, now: now)
        }
        return try JSONReply(view).response
    }

    private func accountView(_ account: Account, in state: MockState, now: Instant) -> AccountView {
        AccountView(
            account: account.number,
            displayName: account.displayName,
            email: account.email,
            enrolled: state.isEnrolled(account.number, at: now) ?? false
        )
    }

    private func scanID(_ context: MockContext) throws(DecisionError) -> UUIDBits {
        guard let id = context.parameters.get("id").flatMap({ UUIDBits($0) }) else { throw .unknownScan }
        return id
    }
}

extension FormFields {
    /// `?limit=`, at most 1000.
    ///
    /// Throws ``ProviderError`` 400 for anything but a positive number.
    func limit(default standard: Int) throws(ProviderError) -> Int {
        guard let text = self["limit"] else { return standard }
        guard let limit = Int(text), limit > 0 else { throw .invalidRequest("limit is not a positive number") }
        return min(limit, 1000)
    }
}
