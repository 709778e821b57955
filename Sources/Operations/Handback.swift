package import Kernel

/// How the browser finds back to the app after the scan, where the provider sends it back here.
///
/// A reference, as ``LoginOrigin`` is.
package final class Handback: Sendable, Equatable {
    /// Where the app wants the browser; one of the addresses that its config allows.
    package let url: String
    /// SHA-256 of the one-time return code that the browser was last sent there with; gone once it was used.
    package let code: Digest256?

    package init(url: String, code: Digest256? = nil) {
        self.url = url
        self.code = code
    }

    package static func == (left: Handback, right: Handback) -> Bool {
        left.url == right.url && left.code == right.code
    }

    /// The address with the code in its query.
    package static func address(_ url: String, code: Secret) -> Secret {
        Secret(url + (url.contains("?") ? "&" : "?") + "code=" + code.expose())
    }
}

/// What a browser is told that comes back from the provider.
package enum ReturnOutcome: Sendable, Equatable {
    /// Send it on to the app.
    case toApp(Secret)
    /// The provider has not told yet; the page asks again.
    case underWay
    /// Whatever the landing page says.
    case landing
}

extension OperationDesk {
    /// The browser comes back from the provider: once the scan is accepted it is sent on to the app with a code that is
    /// good for one collection.
    ///
    /// Only the browser that had the scan: everybody else learns as much as at the landing page.
    package func handBack(ticket: String, browserCookie: Secret?) async throws -> ReturnOutcome {
        guard let card = board.card(ticket: Digest256(sha256: ticket)), let cookie = browserCookie,
            card.browser?.matches(Digest256(sha256: cookie.expose())) == true
        else { return .landing }
        switch card.operation.state {
        case .pending where isOpen(card.operation):
            // As after a webhook: who asks over and over has the provider asked no more than that.
            _ = schedule.hint(card.operation.publicID, at: facts.clock.now)
            return .underWay
        case .approved: break
        case .redeemed, .closed:
            // The app that polls has collected before the browser was back; there is no code to bring.
            guard let handback = card.operation.binding.handback, !card.operation.policy.landing.requiresReturn else {
                return .landing
            }
            return .toApp(Secret(handback.url))
        case .created, .opened, .pending, .failed: return .landing
        }
        guard let handback = card.operation.binding.handback else { return .landing }
        let code = facts.newSecret()
        do {
            _ = try await transition(card.operation, .returned(code: Digest256(sha256: code.expose())))
            return .toApp(Handback.address(handback.url, code: code))
        } catch is OperationMachine.Refusal { return .landing }
    }
}

extension Operation {
    /// Whether the rightful caller may collect already: where the client insists on it, only with the code that the
    /// browser brought the app.
    func isReturned(to caller: Caller) -> Bool {
        // What a session asked for is its own, wherever the browser ends up.
        guard policy.landing.requiresReturn, purpose == .login else { return true }
        guard let code = binding.handback?.code else { return false }
        return caller.returnCode?.matches(code) == true
    }
}
