package import Kernel

/// A notice as it goes out: a `POST` of JSON to the client's endpoint (CIBA Core §10.2, §10.3).
package struct BackchannelNotice: Sendable, Equatable {
    package let endpoint: String
    /// Goes into the header Authorization, as a bearer token.
    package let token: Secret
    package let body: [UInt8]

    package init(endpoint: String, token: Secret, body: [UInt8]) {
        self.endpoint = endpoint
        self.token = token
        self.body = body
    }
}

/// What became of a notice.
package enum NoticeOutcome: Sendable, Equatable {
    case delivered
    /// The endpoint does not want it, or wants it sent elsewhere: another try would fare no better.
    case refused(cause: String)
    /// It could not be reached or was out of order.
    case failed(cause: String)
}

/// Port: the way to a client's endpoint; always comes back in time, and follows no redirect.
package protocol BackchannelSending: Sendable {
    func send(_ notice: BackchannelNotice) async -> NoticeOutcome
}

/// Port: what a client is pushed (CIBA Core §10.3.1 and §12).
package protocol BackchannelResults: Sendable {
    /// The body of the push: the tokens, or the error; the same tokens each time. `nil` if there is nothing to be said.
    func result(of pending: PendingBackchannel, authReqID: Secret) async throws -> [UInt8]?

    /// The client has them: nothing is handed out again.
    func acknowledge(_ pending: PendingBackchannel) async throws
}

/// When a notice is tried again: exponential backoff with full jitter.
package struct NoticeSchedule: Sendable, Equatable {
    /// The first delay at the most; each failure doubles it.
    package let base: Duration
    /// No delay is longer.
    package let cap: Duration
    /// After so many failures a notice is given up.
    package let maxAttempts: Int

    private static let least: Duration = .milliseconds(250)

    package init(base: Duration = .seconds(1), cap: Duration = .seconds(30), maxAttempts: Int = 20) {
        self.base = base
        self.cap = cap
        self.maxAttempts = maxAttempts
    }

    /// The delay after that many failures; `jitter` in `0 ..< 1`.
    func delay(after failures: Int, jitter: Double) -> Duration {
        var bound = base
        var doublings = failures - 1
        while doublings > 0, bound < cap {
            bound = bound * 2
            doublings -= 1
        }
        return max(Self.least, min(bound, cap) * jitter)
    }
}
