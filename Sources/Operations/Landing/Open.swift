package import Kernel
import Logging

/// What the landing page shows after somebody asked for the scan.
package enum OpenOutcome: Sendable, Equatable {
    /// Send the browser to the provider's page, and let it keep `cookie`, by which it is known again.
    case toProvider(page: Secret, cookie: Secret)
    /// This browser can't be served: a decoy, or the login is tied to another place. Nothing more is said.
    case notOnThisDevice
    /// The provider did not answer: the person may try again.
    case providerDown
    /// The scan is being started by another request just now.
    case starting
    /// Started over too often.
    case tooManyRestarts
    /// The number that the app shows has to be typed first.
    case ask(ConfirmView, NumberError)
    /// A press is not enough: only a passkey of the account goes on, or nothing does, for it is a decoy.
    case passkeyNeeded
    /// The passkey is another account's, or it is a decoy.
    case otherPasskey
    /// The browser has to prove the account first, as one that is signed in to it or was before; or it is a decoy.
    case accountProofNeeded
    /// A wrong number was typed too often: the login has ended.
    case tooManyWrongNumbers
    /// There is no such link, or its time is over.
    case over
}

extension OperationService {
    /// Whether a link leads anywhere.
    ///
    /// Changes nothing: previews and scanners fetch links.
    package func isOpenable(ticket: String) -> Bool {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)) else { return false }
        return !card.operation.state.isTerminal && clock.now < card.operation.deadline
    }

    /// Starts the scan for the browser that POSTed on the landing page.
    ///
    /// The same browser (by its cookie) is sent to the same page again; another one starts over, three times at most,
    /// and the scan that it leaves behind can no longer approve.
    ///
    /// `startCookie`: SHA-256 of the binding cookie that the browser brought. `returnTo`: the page for browsers that come
    /// back from a provider; the secret of the attempt is added to it. `number`: what was typed on the page, where it asks
    /// for the number that the app shows. `confirmation`: the passkey that was shown in the place of the press. `proves`:
    /// whether the browser proves an account, for pages that go on for such a browser alone.
    package func open(
        ticket: String,
        browserCookie: Secret?,
        startCookie: Digest256? = nil,
        number: String? = nil,
        confirmation: PasskeyConfirmation? = nil,
        proves: AccountProof? = nil,
        returnTo: String? = nil
    ) async throws -> OpenOutcome {
        let ticket = Digest256(sha256: ticket)
        let cookie = browserCookie ?? environment.newSecret()
        guard let card = cache.card(ticket: ticket) else {
            refusals.count(.unknownLink)
            return .over
        }
        let visitor = Visitor(
            cookie: cookie,
            startCookie: startCookie,
            number: number,
            confirmation: confirmation,
            proves: proves,
            returnTo: returnTo
        )
        let outcome = try await open(card, ticket: ticket, for: visitor, cookie: cookie)
        note(outcome, card.operation)
        return outcome
    }

    private func open(
        _ card: CachedOperation,
        ticket: Digest256,
        for visitor: Visitor,
        cookie: Secret
    ) async throws -> OpenOutcome {
        let isQuestioned =
            card.operation.binding.number != nil || asksPasskey(card.operation, visitor)
            || asksAccountProof(card.operation, visitor)
        if !isQuestioned, visitor.confirmation == nil, let answer = answerAtOnce(card, cookie) { return answer }
        guard let turn = scansBeingStarted.enter(card.operation.publicID) else { return .starting }
        defer { scansBeingStarted.leave(turn) }
        // Whoever was inside until now may have moved it on.
        guard var current = cache.card(ticket: ticket) else { return .over }
        switch try await answer(visitor.number, to: current.operation, by: visitor) {
        case .answered(let answer): return answer
        // The step that was written is in the cache, if nothing has moved on since.
        case .free: current = cache.card(ticket: ticket) ?? current
        }
        if let refusal = try await confirm(current.operation, visitor) { return refusal }
        // It may have been denied while the passkey was looked at.
        current = cache.card(ticket: ticket) ?? current
        if let answer = answerAtOnce(current, cookie) { return answer }
        guard let account = current.operation.account else { return .notOnThisDevice }
        return try await startScan(current.operation, of: account, cookie, returnTo: visitor.returnTo)
    }

    /// What can be answered without the provider; `nil` when a scan has to be started.
    private func answerAtOnce(_ card: CachedOperation, _ cookie: Secret) -> OpenOutcome? {
        let operation = card.operation
        guard !operation.state.isTerminal, clock.now < operation.deadline else { return .over }
        guard !operation.isDecoy else { return .notOnThisDevice }
        switch operation.state {
        case .created, .opened: return nil
        case .pending(let scan):
            if let page = card.page, scan.browser == Digest256(sha256: cookie.expose()) {
                return .toProvider(page: page, cookie: cookie)
            }
            return scan.attempt > OperationMachine.maximumRestarts ? .tooManyRestarts : nil
        case .approved, .redeemed, .closed, .failed: return .over
        }
    }

    private func startScan(
        _ operation: Operation,
        of account: AccountID,
        _ cookie: Secret,
        returnTo: String?
    ) async throws -> OpenOutcome {
        let browser = Digest256(sha256: cookie.expose())
        let choices = try await scanChoices(for: operation, of: account)
        guard !choices.isEmpty else { return operation.purpose == .login ? .notOnThisDevice : .over }
        do {
            var opened = try await entered(operation, by: browser)
            while true {
                let visit = ScanVisit(browser: browser, attempt: opened.nextAttempt)
                if let page = try await scan(opened, visit, at: choices, returnTo: returnTo) {
                    return .toProvider(page: page, cookie: cookie)
                }
                guard let card = cache.card(opened.publicID) else { return .over }
                // Once more for the attempt that it is now; the machine allows but few.
                if let answer = answerAtOnce(card, cookie) { return answer }
                opened = card.operation
            }
        } catch let refusal as OperationMachine.TransitionError {
            return outcome(of: refusal)
        } catch let failure as ProviderError {
            if case .refused(let cause) = failure {
                noteRefusal(about: operation)
                if refusals.admits(.scanRefused, operation) { try await record(cause, operation) }
            }
            return .providerDown
        }
    }

    /// The operation is at another attempt than the one that the provider was told of.
    private struct AttemptOvertakenError: Error {}

    /// Begins a scan, and has the operation follow it; the page, or `nil` when the operation turned out to be further on
    /// than the cache said, as after a write that was durable though it reported a fault.
    ///
    /// The provider was told the way back of one attempt, and the browser of any other would not be let in by it.
    private func scan(
        _ opened: Operation,
        _ visit: ScanVisit,
        at choices: [ScanChoice],
        returnTo: String?
    ) async throws -> Secret? {
        let returnTo = returnTo.map { "\($0)/\(returns.secret(of: opened.id, visit).expose())" }
        let begun = try await begin(at: choices, for: opened, returnTo: returnTo)
        let (started, provider) = (begun.started, begun.provider)
        let event = OperationEvent.scanStarted(started.reference, at: provider, browser: visit.browser)
        do {
            _ = try await transition(opened, event, page: started.page) { [self] next, transaction in
                guard case .pending(let scan) = next.state, scan.visit == visit else { throw AttemptOvertakenError() }
                try claim(begun, for: next, in: transaction)
            }
            return started.page
        } catch is AttemptOvertakenError {
            abandon(started.reference, at: provider)
            return nil
        } catch let refusal as OperationMachine.TransitionError {
            abandon(started.reference, at: provider)
            throw refusal
        }
    }

    /// What a provider said that would not scan: it can mean more than one thing, so the audit keeps its words.
    private func record(_ cause: String, _ operation: Operation) async throws {
        let entry = AuditRecord(.scanRefused, of: operation, at: clock.now, detail: cause)
        try await unitOfWork.run { [auditLog] transaction in try auditLog.append(entry, in: transaction) }
    }

    /// The operation once it is opened.
    ///
    /// A write that reported a fault may have been durable all the same: then that step is done.
    private func entered(_ operation: Operation, by browser: Digest256) async throws -> Operation {
        guard case .created = operation.state else { return operation }
        do {
            return try await transition(operation, .openRequested(browser: browser))
        } catch OperationMachine.TransitionError.notInThisState {
            guard let current = cache.card(operation.publicID)?.operation, case .opened = current.state else {
                throw OperationMachine.TransitionError.notInThisState
            }
            return current
        }
    }

    private func outcome(of refusal: OperationMachine.TransitionError) -> OpenOutcome {
        switch refusal {
        case .decoy: .notOnThisDevice
        case .tooManyRestarts: .tooManyRestarts
        case .notInThisState, .tooLate, .tooEarly, .staleReference, .nothingNew: .over
        }
    }
}
