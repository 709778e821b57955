import Foundation
import Wire

/// A login that the server has started.
struct BegunLogin: Sendable {
    let id: OperationID
    /// The page as the server sent it.
    ///
    /// It is not checked yet.
    let page: URL?
    let number: String?
    let verifier: CodeVerifier?
    /// The seconds between two polls, `1 ... 30`; 2 if the server sends none.
    let interval: Int
    let lifetime: Duration
    /// The end of the login, by the monotonic clock.
    let deadline: Duration

    /// Reads the server's answer to a request that was sent at `sentAt`; returns `nil` for an invalid answer.
    ///
    /// The lifetime counts from the sending, so that the login never lasts longer here than at the server.
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

    /// The latest possible end of the login, even if the server prolongs it further.
    var latestEnd: Duration { deadline - lifetime + .seconds(Self.longestLifetime) }

    /// Limits a server's interval to `1 ... 30` seconds.
    static func bounded(interval: Int?) -> Int {
        guard let interval, interval > 0 else { return 2 }
        return min(interval, 30)
    }

    /// The longest accepted lifetime in seconds, an hour: no face scan takes longer.
    private static let longestLifetime = 3600
}
