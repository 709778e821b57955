// Upstreams: how the broker's upstreams, banks, and CIBA clients are spoken to.
// Owns the requests that go out, and the reading of their answers.
// Decides nothing of a grant or a payment: OAuth and Wallet do.
// Survives what Outbound bounds; an answer that cannot be read is none.
// A client's secret is added here, and nowhere before.

import FoundationEssentials
import Kernel
import Outbound

/// A request to somebody's token endpoint (RFC 6749 §3.2): a form, and whoever sends it.
struct TokenRequest: Sendable {
    /// The largest answer, in bytes.
    static let limit = 65_536

    /// Where the client's name and secret go (RFC 6749 §2.3.1); a public client has no secret to show.
    enum Client: Sendable {
        case none(id: String)
        case post(id: String, secret: Secret)
        case basic(id: String, secret: Secret)
    }

    let url: String
    var fields: [(String, String)]
    let client: Client
    let timeout: Duration

    var request: OutboundRequest {
        var fields = fields
        var headers = [
            OutboundHeader("Content-Type", "application/x-www-form-urlencoded"),
            OutboundHeader("Accept", "application/json"),
        ]
        switch client {
        case .none(let id): fields.append(("client_id", id))
        case .post(let id, let secret): fields += [("client_id", id), ("client_secret", secret.expose())]
        case .basic(let id, let secret): headers.append(OutboundHeader("Authorization", Self.basic(id, secret)))
        }
        let form = QueryText.text(fields)
        return OutboundRequest(
            .post,
            .url(url),
            headers: headers,
            body: Array(form.utf8),
            timeout: timeout,
            maxResponseBytes: Self.limit
        )
    }

    /// RFC 6749 §2.3.1: both parts are encoded as in a form first.
    private static func basic(_ id: String, _ secret: Secret) -> String {
        let pair = [id, secret.expose()].map(PercentEncoding.component)
        return "Basic " + Data(pair.joined(separator: ":").utf8).base64EncodedString()
    }
}
