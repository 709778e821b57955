import Foundation
import Glibc
import Testing

@testable import Vestibule

/// A daemon listens where its config says, and removes nothing that is not its own.
struct SocketFileTests {
    private let folder: String
    private var file: SocketFile { SocketFile(path: folder + "/admin.sock") }

    init() throws {
        var template = Array("/tmp/vst-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // T-220
    @Test func `a killed daemon's socket file is removed`() throws {
        defer { remove() }
        try bind(file.path)
        try file.clear()
        #expect(!exists(file.path))
        try file.clear()
    }

    // T-220
    @Test func `attack: a socket that another program listens on is not removed`() throws {
        defer { remove() }
        let descriptor = try open(file.path)
        defer { close(descriptor) }
        try #require(listen(descriptor, 1) == 0)
        let refusal = #expect(throws: ExitError.self) { try file.clear() }
        #expect(refusal?.message.contains("another program listens at \(file.path)") == true)
        #expect(exists(file.path))
    }

    // T-220
    @Test func `attack: the lock's holder refuses a socket that is listened on, and removes no socket`() throws {
        defer { remove() }
        try file.refuseIfListened()
        try bind(file.path)
        // A socket that a killed daemon left behind refuses.
        #expect(!file.isListened)
        try file.refuseIfListened()
        #expect(exists(file.path))
        unlink(file.path)
        let descriptor = try open(file.path)
        defer { close(descriptor) }
        try #require(listen(descriptor, 1) == 0)
        let refusal = #expect(throws: ExitError.self) { try file.refuseIfListened() }
        #expect(refusal?.code == 74 && refusal?.message.contains(file.path) == true)
        #expect(file.isListened && exists(file.path))
    }

    // T-220
    @Test func `a foreign file is left alone`() throws {
        defer { remove() }
        try Data("precious".utf8).write(to: URL(filePath: file.path))
        let refusal = #expect(throws: ExitError.self) { try file.clear() }
        #expect(refusal?.code == 74 && refusal?.message.contains(file.path) == true)
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "precious")
        #expect(file.identity == nil)
    }

    // T-220
    @Test func `a link is left alone, and so is what it points to`() throws {
        defer { remove() }
        let target = folder + "/target"
        try bind(target)
        try #require(symlink(target, file.path) == 0)
        #expect(throws: ExitError.self) { try file.clear() }
        #expect(exists(target) && exists(file.path))
    }

    // T-220
    @Test func `a folder is left alone`() throws {
        defer { remove() }
        try #require(mkdir(file.path, 0o700) == 0)
        #expect(throws: ExitError.self) { try file.clear() }
        #expect(exists(file.path))
    }

    // T-220
    @Test func `a socket of another user is left alone`() throws {
        defer { remove() }
        try bind(file.path)
        let outsider = SocketFile(path: file.path, owner: geteuid() + 1)
        let refusal = #expect(throws: ExitError.self) { try outsider.clear() }
        #expect(refusal?.message.contains("another user") == true)
        #expect(exists(file.path) && outsider.identity == nil)
    }

    // T-220
    @Test func `only the socket that was bound is removed in the end`() throws {
        defer { remove() }
        try bind(file.path)
        let bound = try #require(file.identity)
        // Beside the old one, so that it can't have its number.
        try bind(folder + "/new.sock")
        try #require(rename(folder + "/new.sock", file.path) == 0)
        file.remove(bound)
        #expect(exists(file.path), "the socket of somebody else was removed")
        file.remove(try #require(file.identity))
        #expect(!exists(file.path))
    }

    /// Leaves a socket there, as a process does that is killed.
    private func bind(_ path: String) throws { close(try open(path)) }

    private func open(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, size) }
        }
        try #require(result == 0)
        return descriptor
    }

    private func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
