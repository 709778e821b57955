import AsyncHTTPClient
import Foundation
import NIOHTTP1

/// The provider's side of a login: the mock decides its scan, and the daemon is told that there is news.
///
/// The webhook is sent from here, not by the mock. The mock looks through all scans for ended ones every 20 ms, which
/// would be the benchmark's own load.
struct ScanJudge: Sendable {
    private let mock: SeedServer
    private let daemon: SeedServer
    private let signer: WebhookSigner

    init(mock: SeedServer, daemon: SeedServer, signer: WebhookSigner) {
        self.mock = mock
        self.daemon = daemon
        self.signer = signer
    }

    /// Returns when the daemon has taken the webhook in: it asks the mock then.
    /// - Throws: ``SeedError`` when the scan was decided already, or either of them refused.
    func accept(_ login: SeededLogin, _ client: HTTPClient) async throws {
        guard let scan = login.scan else { throw SeedError(text: "a login was opened, and has no scan at the mock") }
        _ = try await mock.post("/_mock/scans/\(scan)/outcome", Data(#"{"outcome":"accept"}"#.utf8), client)
        let webhook = signer.sign("msg_verdict_\(scan)", about: scan, at: Int(Date.now.timeIntervalSince1970))
        let headers: HTTPHeaders = [
            "webhook-id": webhook.id,
            "webhook-timestamp": "\(webhook.time)",
            "webhook-signature": webhook.signature,
        ]
        _ = try await daemon.post("/webhooks/mock", Data(webhook.body.utf8), headers: headers, client)
    }
}
