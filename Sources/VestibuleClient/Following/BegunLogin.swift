import Foundation
import Wire

/// A login that the server began.
struct BegunLogin: Sendable {
    let id: OperationID
    /// The page as the server named it; not checked yet.
    let page: URL?
    let number: String?
    let verifier: CodeVerifier?
    /// Seconds between two polls, `1 ... 30`; 2 where the server names none.
    let interval: Int
    let lifetime: Duration
    /// The end of the login, by the monotonic clock.
    let deadline: Duration

    /// Reads the server's answer to a request that was sent at `sentAt`; `nil` where it is none.
    ///
    /// The lifetime counts from the sending, so that this side never believes in a login longer than the server does.
    init?(_ body: Data, sentAt: Duration, verifier: CodeVerifier?) {
        guard let answer = try? JSONDecoder().decode(InitiateLoginResponse.self, from: body),
            let id = OperationID(answer.operationId), answer.operationExpiresIn > 0
        else { return nil }
        self.id = id
        page = URL(string: answer.authIdUrl)
        number = answer.number
        self.verifier = verifier
        interval = Self.bounded(interval: answer.interval)
        lifetime = .seconds(min(answer.operationExpiresIn, Self.longestLifetime))
        deadline = sentAt + lifetime
    }

    /// The latest end of the login, whatever the server says.
    var latestEnd: Duration { deadline - lifetime + .seconds(Self.longestLifetime) }

    /// Brings a server's interval into `1 ... 30` seconds.
    static func bounded(interval: Int?) -> Int {
        guard let interval, interval > 0 else { return 2 }
        return min(interval, 30)
    }

    /// The longest lifetime, an hour in seconds: no face scan takes longer, whatever a server says.
    private static let longestLifetime = 3600
}
