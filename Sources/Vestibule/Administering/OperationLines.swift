import HTTPAPI

/// One operation as `operations show` prints it for people.
extension AdminReply.OperationView {
    var lines: [(String, String)] {
        var lines = [
            ("row", row), ("state", state), ("client", client), ("account", account ?? "(decoy)"),
            ("created", Printing.time(createdAt)), ("deadline", Printing.time(deadline)),
        ]
        if let failure { lines.append(("failure", failure)) }
        if let endedAt { lines.append(("ended", Printing.time(endedAt))) }
        if let session { lines.append(("session", session)) }
        return lines + (progress?.lines(provider) ?? [("provider", provider)])
    }
}

extension AdminReply.ProgressView {
    fileprivate func lines(_ provider: String) -> [(String, String)] {
        var lines: [(String, String)] = []
        if let waitsFor { lines.append(("waits for", Self.sentences[waitsFor] ?? waitsFor)) }
        let fuse = circuit.map { ", circuit \($0.replacing("_", with: " "))" } ?? ""
        lines.append(("provider", "\(provider), \(providerHealthy ? "ok" : "degraded")\(fuse)"))
        if let lastExchange {
            let outcome = lastExchange.outcome.replacing("_", with: " ")
            let text =
                "\(outcome) (\(lastExchange.detail)) by \(lastExchange.provider) at \(Printing.time(lastExchange.at))"
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
