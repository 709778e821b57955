package import Kernel
import Logging

/// The result of a request for the scan on the landing page.
package enum OpenOutcome: Sendable, Equatable {
    /// Redirect the browser to the provider's page, and set `cookie`, which identifies the browser.
    case toProvider(page: Secret, cookie: Secret)
    /// The login is a decoy, or the account can't be scanned. The page does not say which.
    case notOnThisDevice
    /// The provider did not begin a scan, and the person may try again.
    case providerDown
    /// Another request is starting the scan at this moment.
    case starting
    /// The person started over too often.
    case tooManyRestarts
    /// The person has to type the pairing number that the app shows.
    case ask(ConfirmView, NumberError)
    /// A passkey of the account is needed instead of the button, or the login is a decoy.
    case passkeyNeeded
    /// The passkey belongs to another account, or the login is a decoy.
    case otherPasskey
    /// The browser has to prove the account by being or having been signed in to it, or the login is a decoy.
    case accountProofNeeded
    /// The last allowed wrong number was typed, and the operation has ended.
    case tooManyWrongNumbers
    /// The link is unknown or expired.
    case over
}

extension OperationService {
    /// Whether the link is open, without a change, because previews and scanners fetch links.
    package func isOpenable(ticket: String) -> Bool {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)) else { return false }
        return !card.operation.state.isTerminal && clock.now < card.operation.validity.deadline
    }

    /// Starts the scan for the browser that sent a POST from the landing page.
    ///
    /// The same browser (by its cookie) is sent to the same provider's page again, also after a restart. Another browser
    /// starts over, three times at most. The scan that it abandons can no longer approve.
    ///
    /// `startCookie`: SHA-256 of the presented binding cookie.
    ///
    /// `signInCookie`: SHA-256 of the presented cookie of a login that began on this server's sign-in page.
    ///
    /// `number`: The typed pairing number, where the page asks for one.
    ///
    /// `confirmation`: The passkey that was used instead of the button.
    ///
    /// `proves`: Whether the browser proves an account, for pages that require it.
    ///
    /// `returnTo`: The URL for browsers that come back from a provider. The attempt's secret is appended to it.
    package func open(
        ticket: String,
        browserCookie: Secret?,
        startCookie: Digest256? = nil,
        signInCookie: Digest256? = nil,
        number: String? = nil,
        confirmation: PasskeyConfirmation? = nil,
        proves: AccountProof? = nil,
        returnTo: String? = nil
    ) async throws -> OpenOutcome {
        try await load(ticket: ticket)
        let ticket = Digest256(sha256: ticket)
        let cookie = browserCookie ?? environment.newSecret()
        guard let card = cache.card(ticket: ticket) else {
            refusals.count(.unknownLink)
            return .over
        }
        let visitor = Visitor(
            cookie: cookie,
            startCookie: startCookie,
            signInCookie: signInCookie,
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
        guard let turn = providers.scansBeingStarted.enter(card.operation.credentials.publicID) else {
            return .starting
        }
        defer { providers.scansBeingStarted.leave(turn) }
        // The request that has just left `scansBeingStarted` may have changed the operation.
        guard var current = cache.card(ticket: ticket) else { return .over }
        switch try await answer(visitor.number, to: current.operation, by: visitor) {
        case .answered(let answer): return answer
        // The cache has the version that was just written, or a newer one.
        case .free: current = cache.card(ticket: ticket) ?? current
        }
        if let refusal = try await confirm(current.operation, visitor) { return refusal }
        // The operation may have been denied while the passkey was checked.
        current = cache.card(ticket: ticket) ?? current
        if let answer = answerAtOnce(current, cookie) { return answer }
        guard let account = current.operation.request.account else { return .notOnThisDevice }
        return try await startScan(current.operation, of: account, cookie, returnTo: visitor.returnTo)
    }

    /// Returns the answer that needs no provider; `nil` when a scan has to be started.
    private func answerAtOnce(_ card: CachedOperation, _ cookie: Secret) -> OpenOutcome? {
        let operation = card.operation
        guard !operation.state.isTerminal, clock.now < operation.validity.deadline else { return .over }
        guard !operation.isDecoy else { return .notOnThisDevice }
        switch operation.state {
        case .created, .opened: return nil
        case .pending(let scan):
            if let page = page(of: operation, for: Digest256(sha256: cookie.expose())) {
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
        guard !choices.isEmpty else { return operation.request.purpose == .login ? .notOnThisDevice : .over }
        do {
            var opened = try await entered(operation, by: browser)
            while true {
                let scanAttempt = ScanAttempt(browser: browser, number: opened.nextAttempt)
                if let page = try await scan(opened, scanAttempt, at: choices, returnTo: returnTo) {
                    return .toProvider(page: page, cookie: cookie)
                }
                guard let card = cache.card(opened.credentials.publicID) else { return .over }
                // Tries again for the current attempt. ``OperationMachine`` limits the number of attempts.
                if let answer = answerAtOnce(card, cookie) { return answer }
                opened = card.operation
            }
        } catch let refusal as OperationMachine.TransitionError {
            // The last allowed attempt may be this browser's, stored by a write that reported an error.
            // Or another daemon has taken a step that was not known here.
            if refusal == .tooManyRestarts || refusal == .notInThisState,
                let card = cache.card(operation.credentials.publicID), let answer = answerAtOnce(card, cookie)
            {
                return answer
            }
            return outcome(of: refusal)
        } catch let failure as ProviderError {
            if case .refused(let cause) = failure {
                noteRefusal(about: operation)
                if refusals.admits(.scanRefused, operation) { try await record(cause, operation) }
            }
            return .providerDown
        }
    }

    /// The operation's attempt is no longer the one whose return URL the provider got.
    private struct AttemptOvertakenError: Error {}

    /// Begins a scan, and makes the operation follow it.
    ///
    /// The provider gets the return URL of one attempt, which accepts no browser of another attempt.
    /// - Returns: The provider's page; `nil` when the operation is ahead of the cache. That can follow a write that was
    ///   durable although it reported an error.
    private func scan(
        _ opened: Operation,
        _ scanAttempt: ScanAttempt,
        at choices: [ScanChoice],
        returnTo: String?
    ) async throws -> Secret? {
        let returnTo = returnTo.map { "\($0)/\(providers.returns.secret(of: opened.id, scanAttempt).expose())" }
        let begun = try await begin(at: choices, for: opened, returnTo: returnTo)
        let (started, provider) = (begun.started, begun.provider)
        let event = OperationEvent.scanStarted(
            started.reference,
            at: provider,
            browser: scanAttempt.browser,
            page: encrypted(started.page, of: opened, for: scanAttempt.browser)
        )
        do {
            _ = try await transition(opened, event) { [self] next, transaction in
                guard case .pending(let scan) = next.state, scan.scanAttempt == scanAttempt else {
                    throw AttemptOvertakenError()
                }
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

    /// Records the text of a provider that refused to scan, because a refusal can have several causes.
    private func record(_ cause: String, _ operation: Operation) async throws {
        let entry = AuditRecord(.scanRefused, of: operation, at: clock.now, detail: cause)
        try await ports.record(entry)
    }

    /// Returns the operation after it was opened.
    ///
    /// An earlier write that reported an error may have been durable. Then the operation is opened already.
    private func entered(_ operation: Operation, by browser: Digest256) async throws -> Operation {
        guard case .created = operation.state else { return operation }
        do {
            return try await transition(operation, .openRequested(browser: browser))
        } catch OperationMachine.TransitionError.notInThisState {
            guard let current = cache.card(operation.credentials.publicID)?.operation, case .opened = current.state
            else {
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
