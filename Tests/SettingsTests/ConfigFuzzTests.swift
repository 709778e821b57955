import Foundation
import Fuzzing
import SettingsFixture
import Testing

@testable import Settings

/// A seeded mutator against the config loader.
///
/// Whatever the files hold, there are settings or faults, and every fault has its place and tells no secret.
///
/// Files and environment are in memory; nothing is started. Each input has a generator of its own. So they are shared
/// out over the processor's cores, and any of them is found again by its number alone (`FUZZ_FIRST`).
struct ConfigFuzzTests {
    @Test func `any file of config gives settings or faults with a place`() async throws {
        let corpus = try ConfigCorpus()
        // A load costs a thousand times what a JSON document does.
        let numbers = FuzzRun.numbers(FuzzRun.dearInputs(oneIn: 50))
        let workers = ProcessInfo.processInfo.activeProcessorCount
        let tally = try await withThrowingTaskGroup(of: ConfigTally.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    try await corpus.load(from: numbers.lowerBound + worker, to: numbers.upperBound, by: workers)
                }
            }
            return try await group.reduce(into: ConfigTally()) { sum, part in
                sum.held += part.held
                sum.faulty += part.faulty
            }
        }
        #expect(tally.held + tally.faulty == numbers.count)
        // A few that are looked at again may all be of one kind.
        if numbers.count >= 1000 { #expect(tally.held > 0 && tally.faulty > 0) }
    }

    @Test func `an input depends on its number and the seed, and on no other input`() throws {
        let corpus = try ConfigCorpus()
        let all = (0..<300).map { corpus.texts(of: $0) }
        #expect(try ConfigCorpus().texts(of: 77) == all[77])
        #expect(Set(all).count > 200, "a change may undo itself now and then")
    }
}

/// How inputs were taken.
private struct ConfigTally: Sendable {
    var held = 0
    var faulty = 0
}

/// The inputs that are mutated, and the parts that stay.
private struct ConfigCorpus: Sendable {
    private static let folder = SettingsFiles.resolve(#filePath + "/../../../config", against: "/")
    private static let secret = "a-secret-that-nobody-may-read"
    private static let tokens = [
        ":", "- ", "\n", "  ", "{", "}", "[", "]", "\"", "'", "#", "&a ", "*a", "<<: ", "!!int ", "|", ">", "~", "null",
        "---", "\t", "\u{0}", "é", "\u{feff}", "env:HUSH", "file:/hush", "providers:", "kind: http", "mode: production",
        "{{",
        "}}", "{{account}}", "99999999999999999999", "-1", "1s",
    ]
    private static let variables = [
        "HUSH", "KEY_ID", "KEY_VALUE", "AUTHID_KEY_ID", "AUTHID_KEY_VALUE", "VERIFF_API_KEY", "VERIFF_SHARED_SECRET",
        "ONFIDO_API_TOKEN", "ONFIDO_WORKFLOW_ID", "SCANS_KEY", "SCANS_CLIENT_ID", "SCANS_CLIENT_SECRET",
    ]
    /// A small one, so that a change mostly hits something.
    private static let main =
        "faceLogin: {provider: mock}\nproviders: {mock: providers/mock.yaml}\nlisten: {port: 80}\nclients: {a: {}}"

    private let providers: [String]
    private let mutator = Mutator(seed: FuzzRun.seed &+ 20, tokens: Self.tokens)
    private let unchanged: SettingsFixture

    init() throws {
        providers = try ["mock", "authid", "veriff", "onfido", "http"].map {
            Self.stripped(try String(contentsOfFile: "\(Self.folder)/providers/\($0).yaml", encoding: .utf8))
        }
        var fixture = SettingsFixture(Self.main)
        for name in Self.variables { fixture.environment[name] = Self.secret }
        unchanged = fixture
    }

    /// The sources with that input as the main file, or else as the provider's.
    private func input(_ number: Int) -> SettingsFixture {
        var random = mutator.forInput(number)
        var fixture = unchanged
        if number.isMultiple(of: 3) {
            fixture.files["/srv/vestibule-test/config/vestibule.yaml"] = (random.mutated(Self.main), 0o644)
        } else {
            fixture.files["/srv/vestibule-test/config/providers/mock.yaml"] = (
                random.mutated(random.pick(providers)), 0o644
            )
        }
        return fixture
    }

    /// The files of that input, by their paths.
    func texts(of number: Int) -> [String: String] { input(number).files.mapValues { $0.text } }

    func load(from first: Int, to end: Int, by step: Int) async throws -> ConfigTally {
        var tally = ConfigTally()
        for number in stride(from: first, to: end, by: step) {
            if try holds(number) { tally.held += 1 } else { tally.faulty += 1 }
            // Other tests run on the same threads.
            if (number / step).isMultiple(of: 256) { await Task.yield() }
        }
        return tally
    }

    /// Whether there are settings; what must not be is recorded, or ends the test.
    private func holds(_ number: Int) throws -> Bool {
        do throws(SettingsErrors) {
            let shown = ConfigPrinter(loaded: try input(number).load()).yaml()
            if shown.contains(Self.secret) { Issue.record("input \(number) shows a secret") }
            return true
        } catch {
            try #require(!error.findings.isEmpty, "input \(number)")
            for finding in error.findings {
                try #require(finding.origin != .builtIn, "input \(number): \(finding)")
                try #require(!finding.description.contains(Self.secret), "input \(number): \(finding.key)")
            }
            return false
        }
    }

    /// The text without comments, whose changes would not matter.
    private static func stripped(_ yaml: String) -> String {
        yaml.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }.joined(separator: "\n")
    }
}
