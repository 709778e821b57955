import Foundation
import Glibc

/// A folder of one test's own, gone when the test is over.
///
/// Its path is short: a Unix socket's may have 107 bytes.
struct TestFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/vst-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ExpectationError("mkdtemp: \(String(cString: strerror(errno)))") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The path of an entry.
    subscript(name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: self[name]))
        return self[name]
    }

    /// Runs `body` with a folder.
    static func use<Value>(_ body: (TestFolder) async throws -> Value) async throws -> Value {
        let folder = try TestFolder()
        defer { folder.remove() }
        return try await body(folder)
    }
}
