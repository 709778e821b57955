package import Kernel
import Operations

/// An operation as operators see it: with its row id, without secrets.
package struct OperationView: Codable, Sendable, TableRow {
    package let row: String
    let account: String?
    let client: String
    let provider: String
    let state: String
    let failure: String?
    let session: String?
    package let seq: Int64
    /// Milliseconds since 1970.
    let createdAt: Int64
    package let deadline: Int64
    let endedAt: Int64?
    /// The reason why the operation waits, only where a single operation is shown.
    var progress: ProgressView?

    init(_ operation: Operation) {
        var failure: String?
        if case .failed(let code, _) = operation.state { failure = code.rawValue }
        row = operation.id.description
        account = operation.request.account?.description
        client = operation.request.policy.clientID
        provider = operation.provider.text
        state = operation.state.name.rawValue
        self.failure = failure
        session = operation.session?.description
        seq = operation.seq
        createdAt = operation.validity.createdAt.milliseconds
        deadline = operation.validity.deadline.milliseconds
        endedAt = operation.state.endedAt?.milliseconds
    }

    /// Returns the whole seconds since it began.
    package func ageSeconds(at now: Instant) -> Int64 { max(0, (now.milliseconds - createdAt) / 1000) }

    package static let titles = ["ROW", "CREATED", "STATE", "CODE", "CLIENT", "PROVIDER", "ACCOUNT"]

    package var cells: [String] {
        [row, Rendering.time(createdAt), state, failure ?? "-", client, provider, account ?? "(decoy)"]
    }

    /// The lines about one operation, for people.
    var lines: [String] {
        var lines = [
            ("row", row), ("state", state), ("client", client), ("account", account ?? "(decoy)"),
            ("created", Rendering.time(createdAt)), ("deadline", Rendering.time(deadline)),
        ]
        if let failure { lines.append(("failure", failure)) }
        if let endedAt { lines.append(("ended", Rendering.time(endedAt))) }
        if let session { lines.append(("session", session)) }
        return (lines + (progress?.lines(provider) ?? [("provider", provider)])).map { "\($0): \($1)" }
    }
}

/// The reason why an operation waits.
struct ProgressView: Codable, Sendable {
    /// `person_opens_link`, `scan_starts`, `person_scans`, `provider_judges`, `provider_answers`, `client_collects` or
    /// `client_acknowledges`; `nil` once the operation waits for nothing.
    let waitsFor: String?
    let circuit: String?
    let providerHealthy: Bool
    /// Milliseconds until the engine checks the operation again.
    let nextLook: Int64?
    let lastExchange: ExchangeView?

    init(_ progress: OperationProgress) {
        waitsFor = progress.waitsFor?.rawValue
        circuit = progress.circuit?.rawValue
        providerHealthy = progress.isProviderHealthy
        nextLook = progress.nextLook.map { $0.wholeNanoseconds / 1_000_000 }
        lastExchange = progress.lastExchange.map(ExchangeView.init)
    }

    fileprivate func lines(_ provider: String) -> [(String, String)] {
        var lines: [(String, String)] = []
        if let waitsFor { lines.append(("waits for", Self.sentences[waitsFor] ?? waitsFor)) }
        let fuse = circuit.map { ", circuit \($0.replacing("_", with: " "))" } ?? ""
        lines.append(("provider", "\(provider), \(providerHealthy ? "ok" : "degraded")\(fuse)"))
        if let lastExchange {
            let outcome = lastExchange.outcome.replacing("_", with: " ")
            let text =
                "\(outcome) (\(lastExchange.detail)) by \(lastExchange.provider) at \(Rendering.time(lastExchange.at))"
            lines.append(("last answer", text))
        } else {
            lines.append(("last answer", "none since the daemon started"))
        }
        if let nextLook { lines.append(("next look", "in \((nextLook + 999) / 1000) s")) }
        return lines
    }

    private static let sentences = [
        "person_opens_link": "the person to open the link",
        "scan_starts": "a scan to start at the provider",
        "person_scans": "the person at the provider's page",
        "provider_judges": "the provider's verdict",
        "provider_answers": "the provider to answer a check",
        "client_collects": "the client to collect the tokens",
        "client_acknowledges": "the client to acknowledge the tokens",
    ]
}
