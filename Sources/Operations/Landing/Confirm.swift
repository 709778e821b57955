package import Kernel

/// The content of an operation's landing page.
package enum LandingView: Sendable, Equatable {
    /// The link is unknown or expired.
    case over
    /// The page redirects to the provider.
    case proceed
    /// The page shows what the person signs in to or approves, and asks for a confirmation.
    case confirm(ConfirmView)
    /// The progress of the scan, shown only to the browser that began it.
    case progress(ScanView)
    /// The outcome, shown only to the browser of the scan.
    case outcome(LandingOutcome)
}

/// How an operation ended, for the person at its page.
package enum LandingOutcome: Sendable, Equatable {
    /// The scan was accepted. The app is about to collect the result, or has collected it.
    case accepted
    case failed(FailureCode)
}

/// The content of the page that asks for a confirmation before the scan.
package struct ConfirmView: Sendable, Equatable {
    package let clientName: String
    package let origin: LoginOrigin
    /// The time since the start.
    package let age: Duration
    /// Whether the person has to type the pairing number.
    package let asksNumber: Bool
    /// Whether the page asks for a passkey if the account has one.
    ///
    /// It is the same for every login of the client, including decoys.
    package var asksPasskey = false
    /// The request to approve; `nil` for a login.
    package var approval: ApprovalRequest?
    /// The kind of initiator, because the address and agent of a server say nothing to the person.
    package var starter = LandingPolicy.Starter.app
    /// The access that the confirmation gives to the client; `nil` where it need not be shown.
    package var asked: LandingPolicy.Asked?
}

/// The reason why a pairing number was not accepted.
package enum NumberError: Sendable, Equatable {
    /// Fewer or more than two digits were typed, which does not count as an attempt.
    case missing
    /// The number differs from the one that the app shows.
    case wrong(triesLeft: Int)
}

extension OperationService {
    /// Returns the page for a browser.
    ///
    /// It changes nothing, because previews and scanners fetch links.
    ///
    /// `startCookie`: SHA-256 of the presented binding cookie.
    ///
    /// `signInCookie`: SHA-256 of the presented cookie of a login that began on this server's sign-in page.
    package func landing(
        ticket: String,
        browserCookie: Secret?,
        startCookie: Digest256? = nil,
        signInCookie: Digest256? = nil
    ) -> LandingView {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)) else { return .over }
        guard isOpen(card.operation) else { return ending(card, for: browserCookie) }
        let visitor = Visitor(cookie: browserCookie, startCookie: startCookie, signInCookie: signInCookie)
        if let view = scanView(card, for: visitor) { return .progress(view) }
        guard asksFirst(card.operation, visitor) else { return .proceed }
        return .confirm(confirmView(of: card.operation, for: visitor))
    }

    /// Whether the page asks this visitor before it redirects to the provider.
    ///
    /// A person who has just begun the login on the sign-in page, in this browser, is not asked whether they did. A
    /// passkey is asked for all the same, because it proves who opens the page.
    private func asksFirst(_ operation: Operation, _ visitor: Visitor) -> Bool {
        operation.asksFirst && (!operation.isBegun(by: visitor) || asksPasskey(operation, visitor))
    }

    /// Returns the outcome for the browser of the scan, and for others only that the link has expired.
    private func ending(_ card: CachedOperation, for cookie: Secret?) -> LandingView {
        guard let cookie, card.browser?.matches(Digest256(sha256: cookie.expose())) == true else { return .over }
        return switch card.operation.state {
        case .approved, .redeemed, .closed: .outcome(.accepted)
        case .failed(let code, _): .outcome(.failed(code))
        // The deadline has just passed, and the watcher has not ended the operation yet.
        case .created, .opened, .pending: .over
        }
    }

    /// Ends the operation after "This wasn't me".
    /// - Returns: Whether the operation could still be ended.
    package func deny(ticket: String) async throws -> Bool {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)) else {
            refusals.count(.unknownLink)
            return false
        }
        do {
            _ = try await transition(card.operation, .deniedNotMe)
            return true
        } catch is OperationMachine.TransitionError {
            refusals.note(.openOver, card.operation)
            return false
        }
    }

    func isOpen(_ operation: Operation) -> Bool {
        switch operation.state {
        case .created, .opened, .pending: clock.now < operation.validity.deadline
        case .approved, .redeemed, .closed, .failed: false
        }
    }

    /// The result of comparing a typed number.
    enum NumberAnswer {
        case free
        case answered(OpenOutcome)
    }

    /// Compares the typed number with the operation's pairing number.
    ///
    /// The caller must hold the operation's entry in `scansBeingStarted`. Otherwise a hundred concurrent guesses would
    /// be compared before the first wrong one counts. A version is written before the answer, whether the guess is
    /// right or wrong. So a database that can't be written to gives the same answer to both, and guesses are not free
    /// while it fails.
    func answer(_ typed: String?, to operation: Operation, by visitor: Visitor) async throws -> NumberAnswer {
        guard isOpen(operation) else { return .answered(.over) }
        guard let number = operation.numberToAsk(visitor) else { return .free }
        guard let guess = typed.flatMap({ PairingNumber(typed: $0) }) else {
            return .answered(.ask(confirmView(of: operation, for: visitor), .missing))
        }
        do {
            let isRight = guess.matches(number)
            let next = try await transition(operation, isRight ? .numberMatched : .numberMismatched)
            return isRight ? .free : .answered(afterWrongNumber(next, visitor))
        } catch is OperationMachine.TransitionError { return .answered(.over) }
    }

    private func afterWrongNumber(_ operation: Operation, _ visitor: Visitor) -> OpenOutcome {
        refusals.note(.wrongNumber, operation)
        guard !operation.state.isTerminal else { return .tooManyWrongNumbers }
        let triesLeft = OperationBinding.maximumWrongNumbers - operation.binding.wrongNumbers
        return .ask(confirmView(of: operation, for: visitor), .wrong(triesLeft: triesLeft))
    }

    private func confirmView(of operation: Operation, for visitor: Visitor) -> ConfirmView {
        let landing = operation.request.policy.landing
        return ConfirmView(
            clientName: landing.clientName.isEmpty ? operation.request.policy.clientID : landing.clientName,
            origin: operation.binding.origin ?? LoginOrigin(email: "", address: "", agent: ""),
            age: max(.zero, clock.now - operation.validity.createdAt),
            asksNumber: operation.numberToAsk(visitor) != nil,
            asksPasskey: asksPasskey(operation, visitor),
            approval: operation.request.purpose.approval,
            starter: landing.starter,
            asked: landing.asked
        )
    }
}

/// Whether a browser proves an account, with the same reads for every account, including a decoy's.
package typealias AccountProof = @Sendable (AccountID) async throws -> Bool

/// A visitor of the landing page: the values that its browser presents.
struct Visitor {
    /// The browser's own cookie, which identifies it.
    let cookie: Secret?
    /// SHA-256 of the presented binding cookie.
    var startCookie: Digest256?
    /// SHA-256 of the presented cookie of a login that began on this server's sign-in page.
    var signInCookie: Digest256?
    var number: String?
    /// The passkey that was used instead of the button.
    var confirmation: PasskeyConfirmation?
    /// Whether the browser proves an account, because it is or was signed in to it.
    var proves: AccountProof?
    var returnTo: String?
}

extension Operation {
    /// The number that the visitor has to type; `nil` for none.
    fileprivate func numberToAsk(_ visitor: Visitor) -> PairingNumber? {
        wasConfirmed(by: visitor.cookie) || isAsked(from: visitor.startCookie) || isBegun(by: visitor)
            ? nil : binding.number
    }

    /// Whether the visitor's browser began the login on one of this server's own pages.
    ///
    /// A request of another organisation's server is never begun there, and its page always asks.
    fileprivate func isBegun(by visitor: Visitor) -> Bool {
        request.purpose == .login && !request.policy.landing.needsAccountProof
            && visitor.signInCookie?.matches(credentials.bindingCookie) == true
    }
}
