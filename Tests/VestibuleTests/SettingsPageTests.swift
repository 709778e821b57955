import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import Logging
import MemoryStore
import NIOCore
import Settings
import Synchronization
import Testing

@testable import Admin
@testable import Console
@testable import Vestibule

/// The settings page of the console, over a config file on the disk.
struct SettingsPageTests {
    private static let main = """
        faceLogin:
          provider: mock
          lifetime: 170s
        providers:
          mock: providers/mock.yaml
        """

    private static let provider = """
        kind: authid
        baseURL: http://127.0.0.1:8090
        keyID: env:KEY_ID
        keyValue: env:KEY_VALUE
        """

    /// Writes the config, and returns its settings as the daemon loads them.
    private static func load() throws -> LoadedSettings {
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings-page-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let providers = folder.appending(path: "providers")
        try FileManager.default.createDirectory(at: providers, withIntermediateDirectories: true)
        try Data(main.utf8).write(to: folder.appending(path: "vestibule.yaml"))
        try Data(provider.utf8).write(to: providers.appending(path: "mock.yaml"))
        return try SettingsLoader().load(
            SettingsSources(
                configFile: "vestibule.yaml",
                workingFolder: folder.path,
                dataFolder: folder.appending(path: "data").path,
                overrides: ["listen.port=9000"],
                environment: ["KEY_ID": "an-id", "KEY_VALUE": "a-value", "VESTIBULE_LOG__LEVEL": "debug"],
                now: nil
            )
        )
    }

    @Test func `the page and config show name where each value is from: default, file and line, environment`()
        async throws
    {
        let loaded = try Self.load()
        let page = try await Self.page(SettingView.all(of: loaded))
        let printed = ConfigPrinter(loaded: loaded).yaml().split(separator: "\n")
        let sources = [
            ("faceLogin.lifetime", "lifetime: 170s", "vestibule.yaml:3"),
            ("providers.mock.baseURL", "baseURL: http", "providers/mock.yaml:2"),
            ("log.level", "level: debug", "VESTIBULE_LOG__LEVEL"), ("listen.port", "port: 9000", "--set listen.port"),
            ("limits.off", "off: ", "default"),
        ]
        for (key, line, source) in sources {
            let row = try #require(page.split(separator: "<tr").first { $0.contains(">\(key)</td>") }, "\(key)")
            #expect(row.contains("\(source)</td>"), "\(row)")
            let shown = try #require(printed.first { $0.drop { $0 == " " }.hasPrefix(line) }, "\(line)")
            #expect(shown.hasSuffix("# \(source)"), "\(shown)")
        }
        #expect(!page.contains("a-value") && page.contains("env:KEY_VALUE"))
    }

    /// Returns the page of a console whose daemon has those settings.
    private static func page(_ settings: [SettingView]) async throws -> String {
        let environment = VirtualTime().environment()
        let (access, link) = ConsoleAccess.make(environment)
        let origin = ConsoleOrigin()
        origin.listen(on: 8099)
        let console = Console(
            access,
            origin: origin,
            executor: RunningSettings(settings: settings),
            input: ConsoleInput { _ in nil },
            environment: environment,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let cookie = try #require(access.enter(link.expose())).expose()
        var headers: HTTPFields = [.cookie: "\(access.cookieName)=\(cookie)"]
        headers[try #require(HTTPField.Name("Sec-Fetch-Site"))] = "none"
        let head = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: origin.authority,
            path: access.root + "/settings",
            headerFields: headers
        )
        let response = await console.respond(to: Request(head: head, body: RequestBody(buffer: ByteBuffer())))
        #expect(response.status == .ok)
        let writer = PageWriter()
        try await response.body.write(writer)
        return writer.text
    }
}

/// A daemon that has settings, and answers nothing else.
private struct RunningSettings: CommandExecutor {
    let settings: [SettingView]

    func execute<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        guard let reply = settings as? Command.Reply, command is ListSettings else {
            throw AdminError(code: "unscripted", message: "No reply to \(Command.name).")
        }
        return reply
    }
}

/// Keeps the text that a response writes.
private final class PageWriter: ResponseBodyWriter {
    private let written = Mutex(ByteBuffer())

    var text: String { written.withLock { String(buffer: $0) } }

    func write(_ buffer: ByteBuffer) async throws {
        var buffer = buffer
        written.withLock { _ = $0.writeBuffer(&buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
