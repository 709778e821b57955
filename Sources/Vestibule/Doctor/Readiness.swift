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
        self = .notReady(
            answer.draining
                ? "the daemon is stopping" : "the database cannot be used, and the daemon's log has the cause"
        )
    }

    init(_ error: OutboundError) { self = .unreachable("\(error)") }

    private struct Answer: Decodable {
        let draining: Bool
        let providers: [String: String]
    }
}
