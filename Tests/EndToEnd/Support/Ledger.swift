import Synchronization
import Wire

/// The answers that clients got about their logins, and the contradictions among them.
final class Ledger: Sendable {
    struct Entry: Sendable {
        let login: App.Login
        var sessions: Set<String> = []
        var isAcknowledged = false
        var end: LoginStatus?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var order: [String] = []
        var contradictions: [String] = []
    }

    /// Whether an answer of 503 is no contradiction, because the database is away for a while.
    private let allowsUnavailable: Bool
    private let state = Mutex(State())

    init(allowsUnavailable: Bool = false) { self.allowsUnavailable = allowsUnavailable }

    var entries: [Entry] { state.withLock { state in state.order.compactMap { state.entries[$0] } } }
    var contradictions: [String] { state.withLock(\.contradictions) }

    /// A start that was answered with 200.
    func begin(_ login: App.Login) {
        state.withLock { state in
            state.entries[login.id] = Entry(login: login)
            state.order.append(login.id)
        }
    }

    /// An acknowledgement of tokens that the daemon confirmed.
    func acknowledge(_ login: App.Login) { state.withLock { $0.entries[login.id]?.isAcknowledged = true } }

    /// An answer to a poll; returns whether the login is over.
    func note(_ reply: WebClient.Reply, about login: App.Login) -> Bool {
        if allowsUnavailable, reply.status == 503 { return false }
        guard reply.status == 200, let answer = try? reply.json(PollLoginResponse.self) else {
            contradict("\(login.id) was answered with \(reply)")
            return false
        }
        let session = answer.tokens.flatMap { try? Claims($0.accessToken).sid }
        return state.withLock { state in
            guard var entry = state.entries[login.id] else { return false }
            if let session {
                entry.sessions.insert(session)
                if entry.isAcknowledged { state.contradictions.append("\(login.id): tokens after their receipt") }
                if entry.sessions.count > 1 { state.contradictions.append("\(login.id): a second session") }
            }
            if let end = entry.end, end != answer.status {
                state.contradictions.append("\(login.id) was \(end) and is \(answer.status)")
            }
            if answer.status != .pending { entry.end = answer.status }
            state.entries[login.id] = entry
            return answer.status != .pending
        }
    }

    func contradict(_ text: String) { state.withLock { $0.contradictions.append(text) } }
}
