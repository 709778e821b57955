import Foundation
import Fuzzing
import Testing

@testable import Vestibule

/// A seeded mutator against the config loader: whatever the files hold, there are settings or faults, and every fault has
/// its place and tells no secret.
struct ConfigFuzzTests {
    private static let folder = SettingsFiles.resolve(#filePath + "/../../../config", against: "/")
    private static let secret = "a-secret-that-nobody-may-read"
    private static let tokens = [
        ":", "- ", "\n", "  ", "{", "}", "[", "]", "\"", "'", "#", "&a ", "*a", "<<: ", "!!int ", "|", ">", "~", "null",
        "---", "\t", "\u{0}", "é", "\u{feff}", "env:HUSH", "file:/hush", "providers:", "kind: http", "mode: production",
        "{{",
        "}}", "{{account}}", "99999999999999999999", "-1", "1s",
    ]

    @Test func `any file of config gives settings or faults with a place`() throws {
        var random = Mutator(seed: FuzzRun.seed &+ 20, tokens: Self.tokens)
        // Small ones, so that a change mostly hits something.
        let mains = [
            "faceLogin: {provider: mock}\nproviders: {mock: providers/mock.yaml}\nlisten: {port: 80}\nclients: {a: {}}"
        ]
        let names = ["mock", "authid", "veriff", "onfido", "http"]
        let providers = try names.map {
            try String(contentsOfFile: "\(Self.folder)/providers/\($0).yaml", encoding: .utf8)
        }
        var (held, faulty) = (0, 0)
        // A load costs a thousand times what a JSON document does.
        for number in 0..<max(1, FuzzRun.inputs / 50) {
            var fixture = SettingsFixture()
            let isMain = number.isMultiple(of: 3)
            let main = isMain ? random.mutated(mains[0]) : mains[0]
            let provider = isMain ? SettingsFixture.mock : random.mutated(Self.stripped(random.pick(providers)))
            fixture.files["/work/config/vestibule.yaml"] = (main, 0o644)
            fixture.files["/work/config/providers/mock.yaml"] = (provider, 0o644)
            for name in [
                "HUSH", "KEY_ID", "KEY_VALUE", "AUTHID_KEY_ID", "AUTHID_KEY_VALUE", "VERIFF_API_KEY",
                "VERIFF_SHARED_SECRET", "ONFIDO_API_TOKEN", "ONFIDO_WORKFLOW_ID", "SCANS_KEY", "SCANS_CLIENT_ID",
                "SCANS_CLIENT_SECRET",
            ] { fixture.environment[name] = Self.secret }
            do throws(SettingsFaults) {
                let loaded = try fixture.load()
                held += 1
                let shown = ConfigPrinter(loaded: loaded).yaml()
                if shown.contains(Self.secret) { Issue.record("input \(number) shows a secret") }
            } catch {
                faulty += 1
                try #require(!error.findings.isEmpty, "input \(number)")
                for finding in error.findings {
                    try #require(finding.origin != .builtIn, "input \(number): \(finding)")
                    try #require(!finding.description.contains(Self.secret), "input \(number): \(finding.key)")
                }
            }
        }
        #expect(held > 0 && faulty > 0)
    }

    /// Without comments, which no change of would matter.
    private static func stripped(_ yaml: String) -> String {
        yaml.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }.joined(separator: "\n")
    }
}
