package import Kernel

/// The redirect of the browser back to the app, after the provider has sent the browser back to this server.
///
/// It is a class, as ``LoginOrigin`` is.
package final class RedirectBack: Sendable, Equatable {
    /// The app's URL, one of those that the client's config allows.
    package let url: String
    /// SHA-256 of the one-time return code in the browser's last redirect, erased at the collection or the operation's
    /// end.
    package let code: Digest256?

    package init(url: String, code: Digest256? = nil) {
        self.url = url
        self.code = code
    }

    package static func == (left: RedirectBack, right: RedirectBack) -> Bool {
        left.url == right.url && left.code == right.code
    }

    /// Returns the URL with the code in its query.
    package static func address(_ url: String, code: Secret) -> Secret {
        Secret(QueryText.add([("code", code.expose())], to: url))
    }
}

/// The answer to a browser that comes back from the provider.
package enum ReturnOutcome: Sendable, Equatable {
    /// Redirect the browser to the app.
    case toApp(Secret)
    /// The provider has no verdict yet, so the page repeats the request.
    case inProgress
    /// The browser is not the one of the scan, or there is no redirect for it. It learns nothing here.
    case elsewhere
}

/// The app that a browser returns to from the provider.
package struct ReturnTarget: Sendable, Equatable {
    /// The app's URL; `nil` if the app named none.
    package let app: String?
}

extension OperationService {
    /// Returns the app to return to; `nil` for an unknown link.
    ///
    /// It changes nothing and needs no proof, because a holder of the ticket learns only the URL that its app has
    /// named.
    package func returnTarget(ticket: String) -> ReturnTarget? {
        cache.card(ticket: Digest256(sha256: ticket)).map { ReturnTarget(app: $0.operation.binding.redirectBack?.url) }
    }

    /// Redirects a browser from the provider to the app, with a code for one collection once the scan is accepted.
    ///
    /// Only the scan's browser, sent back by the provider, is redirected. It presents its cookie and the secret that
    /// the provider was given. An attacker who opened the link and forwarded the provider's page has only the cookie.
    /// The person who was scanned has only the secret.
    package func redirectBack(ticket: String, secret: String, browserCookie: Secret?) async throws -> ReturnOutcome {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)), let cookie = browserCookie,
            isSentBack(Digest256(sha256: cookie.expose()), with: secret, from: card)
        else { return .elsewhere }
        switch card.operation.state {
        case .pending where isOpen(card.operation):
            // Repeated requests cause no more checks than repeated webhooks do.
            if let scan = card.operation.scanKey, expedite(scan) == .unmatched {
                ports.feed.announce(.hinted(scan: scan))
            }
            return .inProgress
        case .approved: break
        case .redeemed, .closed:
            // The polling app has collected before the browser returned, so no code is needed.
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

    /// Whether the provider has sent that browser back from the scan that is followed or was approved.
    private func isSentBack(_ browser: Digest256, with secret: String, from card: CachedOperation) -> Bool {
        guard card.browser?.matches(browser) == true else { return false }
        let attempts: [Int]
        switch card.operation.state {
        case .pending(let scan): attempts = [scan.attempt]
        case .approved(let approval): attempts = approval.scanAttempt.map { [$0.number] } ?? []
        // The attempt's number is no longer known, and only the app's own URL is revealed.
        case .redeemed, .closed: attempts = Array(1...(OperationMachine.maximumRestarts + 1))
        case .created, .opened, .failed: attempts = []
        }
        return attempts.contains {
            providers.returns.matches(secret, of: card.operation.id, ScanAttempt(browser: browser, number: $0))
        }
    }
}

extension Operation {
    /// Whether the rightful caller may collect.
    ///
    /// If the client requires a return, the caller needs the code that the browser carried to the app.
    func isReturned(to caller: Caller) -> Bool {
        // An enrolment or approval belongs to a session and needs no return.
        guard request.policy.landing.requiresReturn, request.purpose == .login else { return true }
        guard let code = binding.redirectBack?.code else { return false }
        return caller.returnCode?.matches(code) == true
    }
}
