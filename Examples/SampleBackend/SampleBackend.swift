import ArgumentParser
import Foundation
import Hummingbird

/// `sample-backend`: serves the page of Examples/web, and orders to people who are signed in.
@main
struct SampleBackend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample-backend",
        abstract: "Serves a page that signs people in, and a resource that takes their access tokens."
    )

    @Option(help: "The address of Vestibule, which is the issuer of tokens.") var issuer = "http://localhost:8080"
    @Option(help: "The port on 127.0.0.1; 0 picks a free one.") var port = 8100
    @Option(help: "The folder of the page.") var pages = "Examples/web"

    func run() async throws {
        let router = try ordersRouter(issuer: issuer)
        router.add(middleware: PageHeaders(issuer: issuer))
        router.add(middleware: FileMiddleware(pages, searchForIndexHtml: true))
        router.get("settings.json") { _, _ in PageSettings(issuer: issuer, client: "bbms") }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in Self.announce(channel.localAddress?.port) }
        )
        try await application.runService()
    }

    private static func announce(_ port: Int?) {
        let line = "sample-backend listening on http://127.0.0.1:\(port ?? 0) (http://localhost:\(port ?? 0))\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }
}
