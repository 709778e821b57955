import Foundation
import Testing

@testable import Web

/// The files of Sources/Web are in the program, byte for byte.
struct EmbeddedFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Web")

    @Test func `each file is embedded as it is, and no other`() throws {
        let files = try #require(FileManager.default.enumerator(at: Self.folder, includingPropertiesForKeys: nil))
        var found: Set<String> = []
        for case let file as URL in files where !file.hasDirectoryPath && file.pathExtension != "swift" {
            let path = file.standardizedFileURL.path().replacing(Self.folder.standardizedFileURL.path() + "/", with: "")
            found.insert(path)
            let embedded = try #require(EmbeddedFiles.all[path], "\(path) needs its lines in Sources/CWeb/web.c")
            #expect(
                try Data(contentsOf: file) == Data(embedded.utf8),
                "\(path) has changed since the program was built"
            )
        }
        #expect(found == Set(EmbeddedFiles.all.keys))
        for (path, text) in EmbeddedFiles.all {
            #expect(!text.isEmpty && text.hasSuffix("\n") && !text.contains("\r") && !text.contains("\t"), "\(path)")
        }
    }

    @Test func `a file is found by its folder, not by a folder below`() {
        #expect(EmbeddedFiles.texts(in: "pages", ending: ".mustache")["landing"] != nil)
        #expect(EmbeddedFiles.texts(in: "pages", ending: ".mustache")["mark"] == nil)
        #expect(EmbeddedFiles.texts(in: "pages/partials", ending: ".mustache")["mark"] != nil)
    }
}
