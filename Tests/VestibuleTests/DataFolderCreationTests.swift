import ArgumentParser
import Foundation
import OAuth
import Testing

@testable import Admin
@testable import Assembly
@testable import Vestibule

/// A mistyped `--data` is told; it doesn't become a new, empty server.
struct DataFolderCreationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "vst-\(UUID().uuidString)").path()

    private struct UnexpectedError: Error {}

    private func client() throws -> AdminClient {
        // The tests' environment may have variables other than keys of the config, as CI has.
        AdminClient(options: try SettingsOptions.parse(["--data", folder]), environment: .system, variables: [:])
    }

    private static let askingCommands: [any AdminCommand] = [
        ListAccounts(limit: 1), VerifyAudit(checkpoints: nil), ListKeys(), ListClients(), FlushMail(),
    ]

    @Test func `only adding and importing accounts may make a data folder`() {
        let making = AdminTable.all.filter { $0.makesDataFolder }.map { $0.name }
        #expect(making == ["addAccount", "importAccounts"])
    }

    @Test func `files that can't be used end a command with the code of input and output`() {
        let exit = ExitError(UnusableFilesError(message: "The folder can't be read."))
        #expect(exit?.code == 74 && exit?.message == "The folder can't be read.")
    }

    @Test(arguments: askingCommands)
    func `a command that asks for something makes no folder`(_ command: any AdminCommand) async throws {
        let client = try client()
        let fault = await #expect(throws: DataFolder.FolderError.self) { _ = try await client.send(command) }
        guard case .missing(let path)? = fault else { throw UnexpectedError() }
        #expect(path == folder)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `a command that asks for something makes no keys for a database on a server`() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = "storage.postgres.url=postgres:///none?host=/nonexistent"
        let options = try SettingsOptions.parse(["--data", folder, "--set", server])
        let client = AdminClient(options: options, environment: .system, variables: [:])
        let fault = await #expect(throws: DataFolder.FolderError.self) { _ = try await client.send(ListKeys()) }
        guard case .keyless(_, let key)? = fault else { throw UnexpectedError() }
        #expect(key == folder + "/keys/root.key")
        #expect(!FileManager.default.fileExists(atPath: folder + "/keys"))
    }

    @Test func `a command without a daemon knows the clients of the database, which are told of ended sessions`()
        async throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let client = try client()
        _ = try await client.send(AddAccount(details: AddAccount.Details(name: "Ada")))
        #expect(try await client.send(ListAccounts(limit: 1)).count == 1)
        #expect(try await client.send(ListAccounts(limit: -1)).isEmpty, "to SQLite a negative limit is none")
        var order = AddClient.Metadata()
        order.id = "shop"
        order.name = "Shop"
        order.redirectURIs = ["https://shop.example.com/"]
        order.grants = ["authorization_code"]
        order.logoutURI = "https://shop.example.com/logout"
        _ = try await client.send(AddClient(metadata: order))
        let name = try await client.use(making: false) { executor in
            (executor as? AdminServices)?.clients.service.directory.client("shop")?.name
        }
        #expect(name == "Shop", "by a second process")
    }

    @Test func `nothing is left in a folder other than a data folder`() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let client = try client()
        let fault = await #expect(throws: DataFolder.FolderError.self) { _ = try await client.send(ListKeys()) }
        guard case .unused(_, let database)? = fault else { throw UnexpectedError() }
        #expect(database == folder + "/vestibule.sqlite")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
