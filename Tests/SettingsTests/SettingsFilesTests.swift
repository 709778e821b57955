import Foundation
import Glibc
import Testing

@testable import Settings

/// A file that may not be looked at is not one that is missing: who is told so writes a second one.
struct SettingsFilesTests {
    @Test func `a folder that may not be entered is named, and its file is not called missing`() {
        let reading = SettingsFiles.without("/etc/vestibule/keys/tls.pem", code: EACCES) { $0 == "/etc" }
        #expect(reading == .unreadable("may not be read: this user may not enter /etc/vestibule"))
        #expect(SettingsFiles.without("/etc/vestibule/x.yaml", code: ENOENT) { _ in true } == .missing)
        let odd = SettingsFiles.without("/etc/hosts/x.yaml", code: ENOTDIR) { _ in true }
        #expect(odd == .unreadable("cannot be read: Not a directory"))
    }

    @Test func `the machine's own files are told apart`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vst-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer {
            chmod(folder, 0o700)
            try? FileManager.default.removeItem(atPath: folder)
        }
        let file = folder + "/a.yaml"
        #expect(SettingsFiles.disk.read(file) == .missing)
        try Data("mode: laptop\n".utf8).write(to: URL(filePath: file))
        #expect(SettingsFiles.disk.read(file + "/b") == .unreadable("cannot be read: Not a directory"))
        chmod(folder, 0)
        // No folder is closed to root.
        guard geteuid() != 0 else { return }
        let closed = SettingsFiles.disk.read(file)
        #expect(closed == .unreadable("may not be read: this user may not enter \(folder)"))
    }
}
