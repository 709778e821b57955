import FoundationEssentials
import Outbound

/// The answer of a daemon's `/readyz`, or the reason why there is none.
enum Readiness: Equatable {
    /// `degraded`: the providers that do not answer reliably. The daemon is ready nevertheless.
    case ready(degraded: [String])
    case notReady(String)
    case unreachable(String)

    init(_ response: OutboundResponse) {
        guard response.status == 200 || response.status == 503,
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body))
        else {
            self = .unreachable("/readyz answers with HTTP \(response.status), but not as Vestibule does")
            return
        }
        guard response.status == 503 else {
            self = .ready(degraded: answer.providers.filter { $0.value != "ok" }.keys.sorted())
            return
        }
        self = .notReady(answer.sentence)
    }

    init(_ error: OutboundError) { self = .unreachable("\(error)") }

    private struct Answer: Decodable {
        let draining: Bool
        /// Absent in answers of an older version.
        let reason: String?
        let providers: [String: String]

        /// Why the daemon is not ready.
        var sentence: String {
            if draining { return "the daemon is stopping" }
            return switch reason {
            case "drained": "an operator drained the daemon, and `vestibule nodes drain --undo` brings it back"
            case "skewed": "the clock differs from the database server's"
            case "unheard":
                "other daemons of the database have another storage.postgres.notices, and this one has to be restarted with theirs"
            default: "the database cannot be used, and the daemon's log has the cause"
            }
        }
    }
}
