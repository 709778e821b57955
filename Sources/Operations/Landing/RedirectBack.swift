package import Kernel

/// How the browser finds back to the app after the scan, where the provider sends it back here.
///
/// A reference, as ``LoginOrigin`` is.
package final class RedirectBack: Sendable, Equatable {
    /// Where the app wants the browser; one of the addresses that its config allows.
    package let url: String
    /// SHA-256 of the one-time return code that the browser was last sent there with; gone once it was used.
    package let code: Digest256?

    package init(url: String, code: Digest256? = nil) {
        self.url = url
        self.code = code
    }

    package static func == (left: RedirectBack, right: RedirectBack) -> Bool {
        left.url == right.url && left.code == right.code
    }

    /// The address with the code in its query.
    package static func address(_ url: String, code: Secret) -> Secret {
        Secret(QueryText.add([("code", code.expose())], to: url))
    }
}

/// What a browser is told that comes back from the provider.
package enum ReturnOutcome: Sendable, Equatable {
    /// Send it on to the app.
    case toApp(Secret)
    /// The provider has not told yet; the page asks again.
    case underWay
    /// It is not the browser of the scan, or there is nothing to bring (any more): it learns nothing here.
    case elsewhere
}

/// What a page needs to know that a browser comes back to.
package struct ReturnTarget: Sendable, Equatable {
    /// Where the app wants the browser in the end; `nil` where it named no address.
    package let app: String?
}

extension OperationService {
    /// The place behind a return address; `nil` where there is no such link.
    ///
    /// Changes nothing, and asks for no proof: it tells the holder of the ticket what its app has named itself.
    package func returnTarget(ticket: String) -> ReturnTarget? {
        cache.card(ticket: Digest256(sha256: ticket)).map { ReturnTarget(app: $0.operation.binding.redirectBack?.url) }
    }

    /// The browser comes back from the provider: once the scan is accepted it is sent on to the app with a code that is
    /// good for one collection.
    ///
    /// Only the browser that had the scan and that the provider has sent back: it brings its cookie, and the secret that
    /// the provider was told. Whoever opened the link himself and forwarded the provider's page has the one, and the
    /// person who did the scan the other.
    package func redirectBack(ticket: String, secret: String, browserCookie: Secret?) async throws -> ReturnOutcome {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)), let cookie = browserCookie,
            isSentBack(Digest256(sha256: cookie.expose()), with: secret, from: card)
        else { return .elsewhere }
        switch card.operation.state {
        case .pending where isOpen(card.operation):
            // As after a webhook: who asks over and over has the provider asked no more than that.
            _ = schedule.hint(card.operation.publicID, at: environment.clock.now)
            return .underWay
        case .approved: break
        case .redeemed, .closed:
            // The app that polls has collected before the browser was back; there is no code to bring.
            guard let redirectBack = card.operation.binding.redirectBack, !card.operation.policy.landing.requiresReturn
            else {
                return .elsewhere
            }
            return .toApp(Secret(redirectBack.url))
        case .created, .opened, .pending, .failed: return .elsewhere
        }
        guard let redirectBack = card.operation.binding.redirectBack else { return .elsewhere }
        let code = environment.newSecret()
        do {
            _ = try await transition(card.operation, .returned(code: Digest256(sha256: code.expose())))
            return .toApp(RedirectBack.address(redirectBack.url, code: code))
        } catch is OperationMachine.TransitionError { return .elsewhere }
    }

    /// Whether the provider has sent that browser back from the scan that is followed, or that was approved.
    private func isSentBack(_ browser: Digest256, with secret: String, from card: CachedOperation) -> Bool {
        guard card.browser?.matches(browser) == true else { return false }
        let attempts: [Int]
        switch card.operation.state {
        case .pending(let scan): attempts = [scan.attempt]
        case .approved(let approval): attempts = approval.visit.map { [$0.attempt] } ?? []
        // Which attempt it was is gone by then, and nothing but the app's own address is to be had.
        case .redeemed, .closed: attempts = Array(1...(OperationMachine.maximumRestarts + 1))
        case .created, .opened, .failed: attempts = []
        }
        return attempts.contains {
            returns.matches(secret, of: card.operation.id, ScanVisit(browser: browser, attempt: $0))
        }
    }
}

extension Operation {
    /// Whether the rightful caller may collect already: where the client insists on it, only with the code that the
    /// browser brought the app.
    func isReturned(to caller: Caller) -> Bool {
        // What a session asked for is its own, wherever the browser ends up.
        guard policy.landing.requiresReturn, purpose == .login else { return true }
        guard let code = binding.redirectBack?.code else { return false }
        return caller.returnCode?.matches(code) == true
    }
}
