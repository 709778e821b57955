import FoundationEssentials
import SettingsFixture
import Testing

@testable import Settings

struct SettingsTextTests {
    @Test(
        arguments: [
            ("0s", Duration.zero), ("500ms", .milliseconds(500)), ("90s", .seconds(90)), ("15m", .seconds(900)),
            ("1h", .seconds(3600)), ("30d", .seconds(30 * 86_400)), ("999999999d", .seconds(999_999_999 * 86_400)),
        ])
    func `a duration is a whole number and a unit`(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
        #expect(DurationText.parse(DurationText.format(duration)) == duration)
    }

    @Test(arguments: ["", "s", "90", "-1s", "1.5s", "1 s", "90S", "1w", "1h30m", " 1s", "١s", "1000000000s", "+1s"])
    func `nothing else is a duration`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        arguments: [
            ("lifetme", "lifetime"), ("LIFETIME", "lifetime"), ("lifteime", "lifetime"), ("lan", nil), ("prot", "port"),
            ("", nil), ("x", nil),
        ])
    func `the nearest name is guessed when it is near`(name: String, guess: String?) {
        #expect(DidYouMean.to(name, among: ["lifetime", "landing", "port", "host"]) == guess)
    }

    // T-034
    @Test(
        arguments: [
            ("https://a.example.com/done?x=1", true), ("com.example.app:/done", true), ("http://127.0.0.1:9/a", true),
            ("http://a.example.com/", false), ("https://a.example.com/#x", false), ("https:///done", false),
            ("DATA:text/html,x", false), ("https://u@a.example.com/", false), ("/done", false), ("https://a b/", false),
        ])
    func `a return URL in production`(url: String, fits: Bool) {
        let fixture = SettingsFixture.minimal("mode: production\nclients: {a: {returnURLs: ['\(url)']}}")
        #expect(fixture.faults().isEmpty == fits)
    }

    @Test(
        arguments: [
            "https://login.example.com:0", "https://login.example.com:65536", "ftp://login.example.com", "https://",
            "https://ex%61mple.com", "https://exämple.com",
        ])
    func `a publicURL that is not a server's address is an error`(url: String) {
        #expect(SettingsFixture.minimal("publicURL: '\(url)'").faults().count == 1)
    }

    @Test(
        arguments: [
            ("a/b", "/x/a/b"), ("/a//b/", "/a/b"), ("../b", "/b"), ("../../..", "/"), ("./a/../b", "/x/b"),
        ])
    func `paths are made absolute by their text`(path: String, absolute: String) {
        #expect(SettingsFiles.resolve(path, against: "/x") == absolute)
    }
}

/// Reading real files.
struct SettingsDiskTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "vestibule-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func `a link's permissions are those of its file`() throws {
        try withFolder { folder in
            try Data("hush".utf8).write(to: URL(filePath: folder + "/key"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/key")
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "key")
            #expect(SettingsFiles.disk.read(folder + "/link") == .text("hush", permissions: 0o600))
        }
    }

    @Test func `a config file that is missing, not regular or not UTF-8 is refused with the reason`() throws {
        try withFolder { folder in
            #expect(SettingsFiles.disk.read(folder + "/none") == .missing)
            #expect(SettingsFiles.disk.read(folder) == .unreadable("is not a regular file"))
            #expect(SettingsFiles.disk.read("/dev/zero") == .unreadable("is not a regular file"))
            try Data([0xFF, 0xFE]).write(to: URL(filePath: folder + "/bytes"))
            let utf16 = SettingsFiles.disk.read(folder + "/bytes")
            #expect(utf16 == .unreadable("is not UTF-8 on line 1. Save it as UTF-8"))
            try Data("mode: laptop\n# é\nlog: ".utf8 + [0xE9, 0x0A]).write(to: URL(filePath: folder + "/latin"))
            let latin = SettingsFiles.disk.read(folder + "/latin")
            #expect(latin == .unreadable("is not UTF-8 on line 3. Save it as UTF-8"))
            try Data(repeating: 0x20, count: SettingsFiles.largest + 1).write(to: URL(filePath: folder + "/large"))
            #expect(SettingsFiles.disk.read(folder + "/large") == .unreadable("is larger than 1048576 bytes"))
        }
    }
}
