package import Kernel

/// The redirect of the browser back to the app after the scan, where the provider sends it back here.
///
/// It is a class, as ``LoginOrigin`` is.
package final class RedirectBack: Sendable, Equatable {
    /// The address of the app; one of those that its config allows.
    package let url: String
    /// SHA-256 of the one-time return code that the browser was last sent there with; erased once it was used.
    package let code: Digest256?

    package init(url: String, code: Digest256? = nil) {
        self.url = url
        self.code = code
    }

    package static func == (left: RedirectBack, right: RedirectBack) -> Bool {
        left.url == right.url && left.code == right.code
    }

    /// Returns the address with the code in its query.
    package static func address(_ url: String, code: Secret) -> Secret {
        Secret(QueryText.add([("code", code.expose())], to: url))
    }
}

/// The answer to a browser that comes back from the provider.
package enum ReturnOutcome: Sendable, Equatable {
    /// Send it on to the app.
    case toApp(Secret)
    /// The provider has no verdict yet; the page asks again.
    case inProgress
    /// It is not the browser of the scan, or no code is left to bring: it learns nothing here.
    case elsewhere
}

/// The target of a page that a browser comes back to.
package struct ReturnTarget: Sendable, Equatable {
    /// The address of the app; `nil` where it named none.
    package let app: String?
}

extension OperationService {
    /// Returns the target of a return address; `nil` for an unknown link.
    ///
    /// It changes nothing and needs no proof: the holder of the ticket learns only what its app has named itself.
    package func returnTarget(ticket: String) -> ReturnTarget? {
        cache.card(ticket: Digest256(sha256: ticket)).map { ReturnTarget(app: $0.operation.binding.redirectBack?.url) }
    }

    /// Redirects a browser from the provider to the app, with a code for one collection once the scan is accepted.
    ///
    /// Only the browser of the scan that the provider has sent back is redirected. It presents its cookie and the
    /// secret that the provider was given. An attacker who opened the link and forwarded the provider's page has only
    /// the cookie, and the person who did the scan only the secret.
    package func redirectBack(ticket: String, secret: String, browserCookie: Secret?) async throws -> ReturnOutcome {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)), let cookie = browserCookie,
            isSentBack(Digest256(sha256: cookie.expose()), with: secret, from: card)
        else { return .elsewhere }
        switch card.operation.state {
        case .pending where isOpen(card.operation):
            // As after a webhook: repeated requests ask the provider no more often than that.
            _ = watch.schedule.hint(card.operation.credentials.publicID, at: environment.clock.now)
            return .inProgress
        case .approved: break
        case .redeemed, .closed:
            // The app that polls has collected before the browser was back; no code is needed.
            guard let redirectBack = card.operation.binding.redirectBack,
                !card.operation.request.policy.landing.requiresReturn
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
        case .approved(let approval): attempts = approval.scanAttempt.map { [$0.number] } ?? []
        // The attempt is no longer known by then, and only the app's own address is told.
        case .redeemed, .closed: attempts = Array(1...(OperationMachine.maximumRestarts + 1))
        case .created, .opened, .failed: attempts = []
        }
        return attempts.contains {
            providers.returns.matches(secret, of: card.operation.id, ScanAttempt(browser: browser, number: $0))
        }
    }
}

extension Operation {
    /// Whether the rightful caller may collect already; where the client requires it, only with the code that the
    /// browser brought to the app.
    func isReturned(to caller: Caller) -> Bool {
        // A session's own operation needs no return, wherever the browser ends up.
        guard request.policy.landing.requiresReturn, request.purpose == .login else { return true }
        guard let code = binding.redirectBack?.code else { return false }
        return caller.returnCode?.matches(code) == true
    }
}
