import Foundation
import Testing

@testable import VestibuleClient

/// Each test has a folder of its own, which goes with it.
@Suite final class FileTokenStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "vestibule-client-\(UUID().uuidString)")
    private var file: URL { folder.appending(path: "deep/credentials.json") }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private let tokens = StoredTokens(
        accessToken: "a",
        refreshToken: "r",
        tokenType: "Bearer",
        expiresAt: VirtualTime.epoch
    )

    @Test func `a file that doesn't exist holds empty credentials`() async throws {
        #expect(try await FileTokenStore(file: file).load() == StoredCredentials())
        #expect(!FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
    }

    @Test func `one store reads what another wrote`() async throws {
        let tokens = tokens
        try await FileTokenStore(file: file).update {
            $0.tokens = tokens
            $0.email = "ada@example.com"
        }
        let read = try await FileTokenStore(file: file).load()
        #expect(read.tokens == tokens)
        #expect(read.email == "ada@example.com")
    }

    @Test func `only the owner can read file, lock and folder, whatever the umask is`() async throws {
        // It lets others read, which is what is looked for here. It is the whole process's: with none at all, what other
        // tests make at this moment would be anybody's to write.
        let before = umask(0o022)
        defer { umask(before) }
        try await FileTokenStore(file: file).update { $0.email = "ada@example.com" }
        #expect(try mode(file) == 0o600)
        #expect(try mode(folder.appending(path: "deep/credentials.json.lock")) == 0o600)
        #expect(try mode(folder.appending(path: "deep")) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "deep").path(percentEncoded: false)
        )
        #expect(names.sorted() == ["credentials.json", "credentials.json.lock"])
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o620, 0o601])
    func `a file that others can get at is refused`(mode: Int) async throws {
        let store = FileTokenStore(file: file)
        try await store.update { $0.email = "ada@example.com" }
        let path = file.path(percentEncoded: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        await #expect(throws: TokenStoreError.notPrivate(path: path)) { try await store.load() }
        await #expect(throws: TokenStoreError.notPrivate(path: path)) {
            try await store.update { $0.email = "eve@example.com" }
        }
    }

    @Test func `a link in the file's place is refused`() async throws {
        let store = FileTokenStore(file: file)
        try await store.update { $0.email = "ada@example.com" }
        let other = folder.appending(path: "deep/other.json")
        try FileManager.default.moveItem(at: file, to: other)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
        await #expect(throws: TokenStoreError.notPrivate(path: file.path(percentEncoded: false))) {
            try await store.load()
        }
    }

    @Test func `a damaged file is neither read nor overwritten`() async throws {
        let store = FileTokenStore(file: file)
        try await store.update { $0.email = "ada@example.com" }
        let path = file.path(percentEncoded: false)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 5)
        try handle.close()
        await #expect(throws: TokenStoreError.unreadable(place: path)) { try await store.update { $0.email = "x" } }
        #expect(try Data(contentsOf: file).count == 5)
    }

    @Test func `a draft that a crash left behind does no harm`() async throws {
        let store = FileTokenStore(file: file)
        try await store.update { $0.email = "ada@example.com" }
        try Data("half".utf8).write(to: folder.appending(path: "deep/credentials.json.new"))
        try await store.update { $0.email = "bea@example.com" }
        #expect(try await store.load().email == "bea@example.com")
        #expect(try mode(file) == 0o600)
    }

    @Test func `writers wait for each other`() async throws {
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                let store = FileTokenStore(file: file)
                group.addTask {
                    for _ in 0..<10 { try await store.update { $0.email = ($0.email ?? "") + "." } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await FileTokenStore(file: file).load().email?.count == 80)
    }

    @Test func `members of a newer version are ignored`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "new.json").path(percentEncoded: false)
        #expect(
            FileManager.default.createFile(
                atPath: path,
                contents: Data(#"{"email":"ada@example.com","moods":[1]}"#.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        )
        #expect(try await FileTokenStore(file: URL(filePath: path)).load().email == "ada@example.com")
    }
}
