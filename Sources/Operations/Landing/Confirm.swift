package import Kernel

/// What the page behind a login's link shows.
package enum LandingView: Sendable, Equatable {
    /// There is no such link, or its time is over.
    case over
    /// It goes on to the provider.
    case proceed
    /// It tells what is being signed in to, and asks.
    case confirm(ConfirmView)
    /// To the browser that had the scan: how it ended.
    case outcome(LandingOutcome)
}

/// How a login ended, for the person at its page.
package enum LandingOutcome: Sendable, Equatable {
    /// The scan was accepted; what is left is the app's to do, or done.
    case accepted
    case failed(FailureCode)
}

/// What a person is told before the scan.
package struct ConfirmView: Sendable, Equatable {
    package let clientName: String
    package let origin: LoginOrigin
    /// Since the start.
    package let age: Duration
    /// Whether the number has to be typed.
    package let asksNumber: Bool
    /// Whether a passkey goes on from here where the account has one: said of every login of the client, a decoy too.
    package var asksPasskey = false
    /// What is to be approved; `nil` for a login.
    package var approval: ApprovalRequest?
    /// Who started it: of a server, where it is and what it runs on are nothing to the person.
    package var starter = LandingPolicy.Starter.app
    /// What the client gets by a yes, where that has to be said.
    package var asked: LandingPolicy.Asked?
}

/// Why a number was not taken.
package enum NumberError: Sendable, Equatable {
    /// None was typed, or not two digits: that counts for nothing.
    case missing
    /// It is not the one that the app shows.
    case wrong(triesLeft: Int)
}

extension OperationService {
    /// What the page shows to that browser.
    ///
    /// Changes nothing: previews and scanners fetch links.
    ///
    /// `startCookie`: SHA-256 of the binding cookie that it brought.
    package func landing(ticket: String, browserCookie: Secret?, startCookie: Digest256? = nil) -> LandingView {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)) else { return .over }
        guard isOpen(card.operation) else { return ending(card, for: browserCookie) }
        guard card.operation.asksFirst else { return .proceed }
        return .confirm(confirmView(of: card.operation, for: Visitor(cookie: browserCookie, startCookie: startCookie)))
    }

    /// For other browsers than the one that had the scan it is over, and nothing more.
    private func ending(_ card: CachedOperation, for cookie: Secret?) -> LandingView {
        guard let cookie, card.browser?.matches(Digest256(sha256: cookie.expose())) == true else { return .over }
        return switch card.operation.state {
        case .approved, .redeemed, .closed: .outcome(.accepted)
        case .failed(let code, _): .outcome(.failed(code))
        // Its time has just run out, and the watcher has not come by yet.
        case .created, .opened, .pending: .over
        }
    }

    /// "This wasn't me": ends the login.
    /// - Returns: whether it was there to be ended.
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
        case .created, .opened, .pending: clock.now < operation.deadline
        case .approved, .redeemed, .closed, .failed: false
        }
    }

    /// What became of a number that was typed.
    enum NumberAnswer {
        case free
        case answered(OpenOutcome)
    }

    /// Holds what was typed against the number of the operation.
    ///
    /// To be called with the right to be the only one inside: else a hundred guesses at once would all be compared
    /// before the first wrong one counts. Right or wrong, one step is written before anything is told, so that a store
    /// that can't write answers both alike: else guesses would be free while it fails.
    func answer(
        _ typed: String?,
        to operation: Operation,
        by visitor: Visitor
    ) async throws -> NumberAnswer {
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
        let landing = operation.policy.landing
        return ConfirmView(
            clientName: landing.clientName.isEmpty ? operation.policy.clientID : landing.clientName,
            origin: operation.binding.origin ?? LoginOrigin(email: "", address: "", agent: ""),
            age: max(.zero, clock.now - operation.createdAt),
            asksNumber: operation.numberToAsk(visitor) != nil,
            asksPasskey: asksPasskey(operation, visitor),
            approval: operation.purpose.approval,
            starter: landing.starter,
            asked: landing.asked
        )
    }
}

/// Whether a browser proves that account; reads the same for every one, be it nobody's.
package typealias AccountProof = @Sendable (AccountID) async throws -> Bool

/// Who comes to the page, by what the browser brings.
struct Visitor {
    /// The browser's own cookie, by which it is known again.
    let cookie: Secret?
    /// SHA-256 of the binding cookie, where it is the browser that asked.
    var startCookie: Digest256?
    var number: String?
    /// A passkey that it has shown in the place of the press.
    var confirmation: PasskeyConfirmation?
    /// Whether the browser proves an account, as one that is signed in to it or was before.
    var proves: AccountProof?
    var returnTo: String?
}

extension Operation {
    /// The number that this browser has to be told by the app; `nil` for none.
    fileprivate func numberToAsk(_ visitor: Visitor) -> PairingNumber? {
        wasConfirmed(by: visitor.cookie) || isAsked(from: visitor.startCookie) ? nil : binding.number
    }
}
