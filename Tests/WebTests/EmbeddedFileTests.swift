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
            if path.hasPrefix("images/") { continue }
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

    @Test func `each picture is embedded as it is, and no other`() throws {
        let folder = Self.folder.appending(path: "images")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        for name in names {
            let bytes = try Data(contentsOf: folder.appending(path: name))
            #expect(Data(try #require(EmbeddedFiles.images["images/\(name)"])) == bytes, "\(name)")
            #expect(bytes.count <= 16_384, "\(name) is sent to every browser")
        }
        #expect(Set(names.map { "images/\($0)" }) == Set(EmbeddedFiles.images.keys))
    }

    @Test func `the icons are pictures of the sizes that pages name`() throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(WebAssets.touchIcon.starts(with: png))
        // The width and height of a PNG are the first words of its first chunk (ISO/IEC 15948 §11.2.2).
        #expect(Array(WebAssets.touchIcon[16..<24]) == [0, 0, 0, 180, 0, 0, 0, 180])
        #expect(WebAssets.favicon.starts(with: [0, 0, 1, 0, 3, 0]), "an icon file of three pictures")
        let sizes = (0..<3).map { WebAssets.favicon[6 + 16 * $0] }
        #expect(sizes == [16, 32, 48])
    }

    @Test func `a file is found by its folder, not by a folder below`() {
        #expect(EmbeddedFiles.texts(in: "pages", ending: ".mustache")["landing"] != nil)
        #expect(EmbeddedFiles.texts(in: "pages", ending: ".mustache")["mark"] == nil)
        #expect(EmbeddedFiles.texts(in: "pages/partials", ending: ".mustache")["mark"] != nil)
    }
}
