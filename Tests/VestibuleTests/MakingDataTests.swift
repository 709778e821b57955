import ArgumentParser
import Foundation
import HTTPAPI
import Testing

@testable import Vestibule

/// A mistyped `--data` is told; it doesn't become a new, empty server.
struct MakingDataTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "vst-\(UUID().uuidString)").path()

    private struct Unexpected: Error {}

    private func client() throws -> AdminClient {
        // Whoever runs the tests may have variables that are no keys of the config, as CI has.
        AdminClient(options: try SettingsOptions.parse(["--data", folder]), facts: .system, environment: [:])
    }

    @Test(arguments: [
        AdminRequest.listAccounts(limit: 1), .verifyAudit(checkpoints: nil), .listKeys, .listClients, .flushMail,
    ])
    func `what asks for something makes no folder`(_ request: AdminRequest) async throws {
        let client = try client()
        let fault = await #expect(throws: DataFolder.Fault.self) { _ = try await client.send(request) }
        guard case .missing(let path)? = fault else { throw Unexpected() }
        #expect(path == folder)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `nothing is left in a folder that is no data folder`() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let client = try client()
        let fault = await #expect(throws: DataFolder.Fault.self) { _ = try await client.send(.listKeys) }
        guard case .unused(_, let database)? = fault else { throw Unexpected() }
        #expect(database == folder + "/vestibule.sqlite")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
