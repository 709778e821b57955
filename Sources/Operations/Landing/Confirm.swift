package import Kernel

/// The content of the page behind a login's link.
package enum LandingView: Sendable, Equatable {
    /// The link is unknown or expired.
    case over
    /// The page redirects to the provider.
    case proceed
    /// The page tells what is being signed in to, and asks.
    case confirm(ConfirmView)
    /// The outcome, for the browser of the scan.
    case outcome(LandingOutcome)
}

/// How a login ended, for the person at its page.
package enum LandingOutcome: Sendable, Equatable {
    /// The scan was accepted; the app collects, or has collected.
    case accepted
    case failed(FailureCode)
}

/// What a person is shown before the scan.
package struct ConfirmView: Sendable, Equatable {
    package let clientName: String
    package let origin: LoginOrigin
    /// The time since the start.
    package let age: Duration
    /// Whether the number has to be typed.
    package let asksNumber: Bool
    /// Whether the page asks for a passkey where the account has one; the same for all logins of the client, decoys
    /// too.
    package var asksPasskey = false
    /// What is to be approved; `nil` for a login.
    package var approval: ApprovalRequest?
    /// The kind of initiator: the address and agent of a server mean nothing to the person.
    package var starter = LandingPolicy.Starter.app
    /// What the client gets by a confirmation, where that has to be shown.
    package var asked: LandingPolicy.Asked?
}

/// The reason why a number was not accepted.
package enum NumberError: Sendable, Equatable {
    /// No two digits were typed; that does not count as a try.
    case missing
    /// It is not the one that the app shows.
    case wrong(triesLeft: Int)
}

extension OperationService {
    /// Returns the page for that browser; it changes nothing, since previews and scanners fetch links.
    ///
    /// `startCookie`: SHA-256 of the binding cookie that was presented.
    package func landing(ticket: String, browserCookie: Secret?, startCookie: Digest256? = nil) -> LandingView {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)) else { return .over }
        guard isOpen(card.operation) else { return ending(card, for: browserCookie) }
        guard card.operation.asksFirst else { return .proceed }
        return .confirm(confirmView(of: card.operation, for: Visitor(cookie: browserCookie, startCookie: startCookie)))
    }

    /// Returns the outcome for the browser of the scan, and only that it is over for other browsers.
    private func ending(_ card: CachedOperation, for cookie: Secret?) -> LandingView {
        guard let cookie, card.browser?.matches(Digest256(sha256: cookie.expose())) == true else { return .over }
        return switch card.operation.state {
        case .approved, .redeemed, .closed: .outcome(.accepted)
        case .failed(let code, _): .outcome(.failed(code))
        // Its time has just run out, and the watcher has not ended it yet.
        case .created, .opened, .pending: .over
        }
    }

    /// Ends the login after "This wasn't me".
    /// - Returns: Whether it could still be ended.
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

    /// The result of a typed number.
    enum NumberAnswer {
        case free
        case answered(OpenOutcome)
    }

    /// Compares the typed number with that of the operation.
    ///
    /// The caller must be the only one inside: otherwise a hundred guesses at once would all be compared before the first
    /// wrong one counts. Right or wrong, one step is written before the answer. So a store that can't write answers both
    /// alike, and guesses are not free while it fails.
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

/// Whether a browser proves that account; the reads are the same for every account, also for a decoy's.
package typealias AccountProof = @Sendable (AccountID) async throws -> Bool

/// The visitor of a page, by the values that the browser presents.
struct Visitor {
    /// The browser's own cookie, which identifies it.
    let cookie: Secret?
    /// SHA-256 of the binding cookie, where it is the browser that asked.
    var startCookie: Digest256?
    var number: String?
    /// The passkey that was used instead of the press.
    var confirmation: PasskeyConfirmation?
    /// Whether the browser proves an account: it is or was signed in to it.
    var proves: AccountProof?
    var returnTo: String?
}

extension Operation {
    /// The number that this browser has to type; `nil` for none.
    fileprivate func numberToAsk(_ visitor: Visitor) -> PairingNumber? {
        wasConfirmed(by: visitor.cookie) || isAsked(from: visitor.startCookie) ? nil : binding.number
    }
}
