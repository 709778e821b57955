import ArgumentParser
import Foundation
import Hummingbird
import Logging
import NIOCore

/// `bench-bare`: what `make bench` divides by, a Hummingbird server with one constant route and nothing around it.
///
/// It runs on the framework's default event loops, as the daemon does, and its answer is as long as that to a poll.
@main
struct BenchBareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-bare",
        abstract: "Serves one constant JSON answer at /bare, to measure the daemon against."
    )

    @Option(help: "The port on 127.0.0.1. 0 picks a free one.") var port = 0

    private static let answer = ByteBuffer(
        string: #"{"hint":"created","interval":2,"operationExpiresIn":180,"seq":1,"status":"pending"}"#
    )

    func run() async throws {
        let router = Router(context: BasicRequestContext.self)
        router.get("/bare") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: Self.answer)
            )
        }
        var logger = Logger(label: "bench-bare") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port), backlog: 4096),
            onServerRunning: { channel in Self.announce(channel.localAddress?.port) },
            logger: logger
        )
        try await application.runService()
    }

    /// Unbuffered: the script that starts this server waits for the line.
    private static func announce(_ port: Int?) {
        let line = "bench-bare listening on http://127.0.0.1:\(port ?? 0)\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }
}
