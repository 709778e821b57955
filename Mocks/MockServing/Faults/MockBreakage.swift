package import HTTPTypes
package import Hummingbird
import Kernel
package import NIOCore

/// How an answer goes wrong on its way, whatever would have stood in it.
package enum MockBreakage: Sendable, Equatable {
    /// An error in the place of the answer; the call takes no effect.
    case error(HTTPResponse.Status)
    /// The right answer, later.
    case late(Duration)
    /// The connection stays open and silent for a minute, which no client waits for; then it is closed.
    case silence
    /// 200 with a proxy's page.
    case garbage
    /// The call takes effect, and the answer breaks off in the middle.
    case truncated
    /// The connection is closed without an answer.
    case reset
    /// A redirect elsewhere, which nobody should follow with a secret.
    case redirect

    /// Answers so on `channel`; `answer` runs only where the call takes effect.
    package func serve(
        on channel: any Channel,
        _ answer: @Sendable () async throws -> MockReply
    ) async throws -> Response {
        switch self {
        case .error(let status): return MockReply.error("server_error", status).response
        case .garbage: return MockReply.html("<!doctype html><title>Proxy</title>Service temporarily moved\n").response
        case .redirect: return MockReply.redirect(to: "https://elsewhere.example.com/").response
        case .truncated: return try await answer().truncated(on: channel)
        case .late(let delay):
            try await Self.pause(for: delay, on: channel)
            return try await answer().response
        case .silence:
            try await Self.pause(for: .seconds(60), on: channel)
            try? await channel.close()
            return MockReply.json("{}").response
        case .reset:
            try? await channel.close()
            return MockReply.json("{}").response
        }
    }

    /// On the connection's own loop; over as soon as it is closed.
    private static func pause(for delay: Duration, on channel: any Channel) async throws {
        let timer = channel.eventLoop.scheduleTask(in: .milliseconds(delay.wholeMilliseconds)) {}
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        try? await timer.futureResult.get()
    }
}
