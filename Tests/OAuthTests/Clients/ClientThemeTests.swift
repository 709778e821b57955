import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import OAuth

/// Themes of clients of the database, which the operator alone gives.
struct ClientThemeTests {
    private let time = VirtualTime()
    private let disk = MemoryDisk()
    private let directory: OAuthClientDirectory
    private let service: ClientService
    private let shown = Recorder()

    /// The themed clients that the directory has told of, in order.
    private final class Recorder: Sendable {
        let states = Mutex<[[String]]>([])

        var last: [String]? { states.withLock(\.last) }
    }

    private struct QuietEnding: ClientEnding {
        func endAll(ofDisabled client: String, in transaction: borrowing Transaction) throws {}
        func settle(ofDisabled client: String) async throws {}
    }

    init() {
        let (storage, shown) = (disk.open(), shown)
        directory = OAuthClientDirectory(configured: []) { directory in
            shown.states.withLock { $0.append(directory.themed.keys.sorted()) }
        }
        service = ClientService(
            directory: directory,
            environment: time.environment(),
            unitOfWork: storage.unitOfWork,
            store: storage.oauthClients,
            auditLog: storage.auditLog,
            secrets: ClientSecrets(key: ClientHarness.key),
            ending: QuietEnding(),
            rules: NewClientRules(
                reserved: [],
                names: [],
                themeFaults: { theme in
                    theme.values["accent"] == "yellow" ? ["theme.accent can't be read"] : []
                }
            )
        )
    }

    private static var web: ClientMetadata {
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["https://app.example.com/done"]
        return metadata
    }

    private static func change(_ values: [String: String]) -> ClientChange {
        var change = ClientChange()
        change.appearance.theme = ClientTheme(values)
        return change
    }

    @Test func `a theme is kept until another one or none takes its place`() async throws {
        _ = try await service.add(Self.web, id: "web")
        #expect(directory.client("web")?.appearance.theme == nil)
        let theme = ["name": "The \"Web\"", "links.help": "https://www.example.com/?a=b"]
        #expect(try await service.change("web", Self.change(theme)).appearance.theme?.values == theme)
        #expect(disk.tables.auditLog.last?.detail == "theme" && shown.last == ["web"])
        var name = ClientChange()
        name.name = "Web"
        #expect(try await service.change("web", name).appearance.theme?.values == theme)
        try await service.load()
        #expect(directory.themed["web"] == OAuthClient.Appearance(name: "Web", theme: ClientTheme(theme)))
        #expect(try await service.change("web", Self.change(["name": "W"])).appearance.theme?.values == ["name": "W"])
        #expect(try await service.change("web", Self.change([:])).appearance.theme == nil)
        #expect(shown.last == [])
    }

    @Test func `a removed client's theme is no longer told of`() async throws {
        _ = try await service.add(Self.web, id: "web")
        _ = try await service.change("web", Self.change(["name": "W"]))
        try await service.remove("web")
        #expect(shown.last == [] && directory.themed.isEmpty)
    }

    @Test func `a theme's faults are told with all others, and one that is too long is refused`() async throws {
        _ = try await service.add(Self.web, id: "web")
        var change = Self.change(["accent": "yellow"])
        change.name = " x"
        for (change, faults) in [
            (change, ["--name", "theme.accent can't be read"]),
            (Self.change(["name": String(repeating: "x", count: ClientTheme.longest)]), ["at most 8192 bytes"]),
        ] {
            let error = await #expect(throws: ClientError.self) { _ = try await service.change("web", change) }
            for fault in faults { #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")") }
        }
        #expect(directory.client("web")?.appearance.theme == nil)
    }

    @Test func `a theme's text is read as the same theme, and nothing else is`() {
        let theme = ClientTheme(["name": "\"}\\", "accent": "#0b57d0"])
        #expect(ClientTheme(parsing: theme.text) == theme)
        for text in ["", "[]", #"{"name":1}"#, #"{"name":"a""#] { #expect(ClientTheme(parsing: text) == nil) }
    }
}
