import FoundationEssentials
import Kernel
import Outbound

/// Does what a person's browser does with the link: loads the page and presses its button.
enum ScriptedScan {
    /// Whether the scan was started.
    static func open(_ page: URL) async -> Bool {
        do {
            return try await OutboundHTTP.use(clock: Environment.system.clock) { http in
                _ = try await http.send(request(.get, page))
                do {
                    _ = try await http.send(request(.post, page))
                    return false
                } catch OutboundError.redirected { return true }
            }
        } catch { return false }
    }

    private static func request(_ method: OutboundMethod, _ page: URL) -> OutboundRequest {
        OutboundRequest(
            method,
            .url(page.absoluteString),
            timeout: .seconds(30),
            maxResponseBytes: 256 * 1024
        )
    }
}
