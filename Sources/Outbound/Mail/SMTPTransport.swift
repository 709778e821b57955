import CCurl
import Dispatch
import Kernel
package import Mail
import Synchronization

/// Delivers mail to a server over SMTP, always inside TLS with a verified certificate.
///
/// libcurl blocks. It runs on threads of its own, one for each lane, and never on the cooperative pool.
package final class SMTPTransport: MailTransport {
    /// The number of deliveries at one time: further ones wait.
    private static let laneCount = 4

    private let configuration: SMTPConfiguration
    private let lanes: [DispatchQueue]
    /// The number of deliveries in progress or waiting in each lane.
    private let load: Mutex<[Int]>

    package init(_ configuration: SMTPConfiguration) {
        self.configuration = configuration
        lanes = (0..<Self.laneCount).map { DispatchQueue(label: "vestibule.smtp.\($0)") }
        load = Mutex(Array(repeating: 0, count: Self.laneCount))
        _ = Self.library
    }

    package func deliver(_ message: MailMessage) async throws(MailTransportError) {
        // libcurl would send a line break in the address to the server.
        guard MailAddress(message.recipient, name: nil) != nil else {
            throw MailTransportError(.permanent, cause: "the recipient is not an address")
        }
        let delivery = SMTPDelivery(configuration, message)
        let lane = load.withLock { load in
            let lane = load.indices.min { load[$0] < load[$1] } ?? 0
            load[lane] += 1
            return lane
        }
        defer { load.withLock { $0[lane] -= 1 } }
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                lanes[lane].async { continuation.resume(returning: delivery.perform()) }
            }
        } onCancel: {
            delivery.cancel()
        }
        if let failure { throw failure }
    }

    /// libcurl's global initialization: once in a process, before the first thread uses it.
    static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
}
