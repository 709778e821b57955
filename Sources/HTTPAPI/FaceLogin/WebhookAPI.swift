import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Operations

/// `POST /webhooks/{provider}`: a provider announces that a scan has changed.
struct WebhookAPI: Sendable {
    let intake: WebhookIntake
    /// The largest body in bytes.
    let bodyLimit: Int

    var routes: [Route] {
        [Route(.post, "/webhooks/{provider}", access: .holder(of: .webhookSignature), use: receive)]
    }

    /// Answers from the cache alone; the watcher then asks the provider.
    private func receive(_ request: Request, _ context: APIContext) async throws -> Response {
        let provider = ProviderName(context.parameters.get("provider") ?? "")
        let body: ByteBuffer
        do { body = try await BodyReader.whole(request, upTo: bodyLimit) } catch let apiError as APIError {
            if apiError.status == .contentTooLarge { intake.noteOversized(for: provider) }
            throw apiError
        }
        let delivery = WebhookDelivery(body: Array(body.readableBytesView)) { [headers = request.headers] name in
            HTTPField.Name(name).map { headers[values: $0] } ?? []
        }
        switch intake.receive(delivery, for: provider) {
        case .taken: return JSONReply.bytes(Self.taken)
        case .unknownProvider: throw APIError.notFound
        case .refused(.stale): throw APIError.webhookStale
        case .refused(.unsigned), .refused(.malformed), .refused(.forged): throw APIError.webhookNotVerified
        }
    }

    /// The body of the answer, whose status is 200 and not 204, because some senders accept only 200.
    private static let taken = ByteBuffer(string: #"{"status":"received"}"#)
}
