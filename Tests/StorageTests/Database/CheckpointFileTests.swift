import Audit
import Foundation
import Glibc
import Kernel
import Testing

@testable import Storage

struct CheckpointFileTests {
    private let folder: TestDatabase
    private let path: String
    private let file: CheckpointFile

    init() throws {
        folder = try TestDatabase()
        path = folder.folder + "/audit/checkpoints.jws"
        file = CheckpointFile(path: path)
    }

    private func mode(_ path: String) -> mode_t {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & 0o7777 : 0
    }

    @Test func `there are no lines before the first`() throws {
        #expect(try file.lines() == [])
    }

    @Test func `lines are kept in order, in a file that is this user's alone`() throws {
        for line in ["a", "b", "c"] { try file.append(line) }
        #expect(try file.lines() == ["a", "b", "c"])
        #expect(mode(path) == 0o600)
        #expect(mode(folder.folder + "/audit") == 0o700)
    }

    @Test func `a line that a crash cut short was never there`() throws {
        try file.append("a")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("half".utf8))
        try handle.close()
        #expect(try file.lines() == ["a"])
        try file.append("b")
        #expect(try file.lines() == ["a", "b"])
    }

    @Test func `a crash in the first line leaves none`() throws {
        try file.append("a")
        try Data("half".utf8).write(to: URL(filePath: path))
        chmod(path, 0o600)
        #expect(try file.lines() == [])
        try file.append("b")
        #expect(try file.lines() == ["b"])
    }

    // T-213
    @Test func `attack: a checkpoint file that other users can write is refused`() throws {
        try file.append("a")
        chmod(path, 0o620)
        #expect(throws: StoreError.self) { try file.lines() }
        #expect(throws: StoreError.self) { try file.append("b") }
    }

    // CWE-59: a link in the place of the file would have us append to somebody else's.
    // T-213
    @Test func `attack: a symbolic link in place of the checkpoint file is refused`() throws {
        try file.append("a")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
        #expect(throws: StoreError.self) { try file.append("b") }
        #expect(throws: StoreError.self) { try file.lines() }
    }

    @Test(.timeLimit(.minutes(1)))
    func `attack: a pipe in place of the checkpoint file is refused without blocking`() throws {
        try file.append("a")
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: StoreError.self) { try file.append("b") }
        #expect(throws: StoreError.self) { try file.lines() }
    }

    @Test func `a line is not appended to a file that has another size than its writer knows`() throws {
        let size = try file.append(["a", "b"], after: 0)
        #expect(size == 4)
        #expect(try file.size() == 4)
        for other in [0, 3, 5] as [Int64] {
            #expect(throws: CheckpointRaceError.self) { try file.append(["c"], after: other) }
        }
        #expect(try file.append(["c"], after: 4) == 6)
        #expect(try file.lines() == ["a", "b", "c"])
    }

    @Test func `a daemon without a disk writes each checkpoint as one line`() throws {
        let pipe = Pipe()
        let output = CheckpointOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        _ = try output.append(["a", "b"], after: 0)
        _ = try output.append(["c"], after: output.size())
        try pipe.fileHandleForWriting.close()
        #expect(String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == "a\nb\nc\n")
        #expect(output.lines().isEmpty)
    }
}

extension CheckpointFile {
    fileprivate func append(_ line: String) throws { _ = try append([line], after: size()) }
}
