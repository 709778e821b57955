import Foundation
import Kernel

/// The setting of a test: a provider, a daemon with people in it, and a client.
///
/// All of them end with the test, also when it fails.
struct Fixture: Sendable {
    let folder: TestFolder
    let web: WebClient
    let mock: Mock
    let daemon: Daemon

    /// Runs `play` on a fixture of its own.
    ///
    /// Only a few stages run at one time, so that they don't starve each other. One that is `alone` waits for all of
    /// them. `settings` are `key=value` each, over a cadence that suits tests; `people` have a face at the provider,
    /// and `limit` is for the test's body alone. An error of the body is thrown on with the programs' output.
    static func run(
        _ settings: [String] = [],
        people: [String] = [],
        alone: Bool = false,
        within limit: Duration = .seconds(240),
        _ play: @escaping @Sendable (Fixture) async throws -> Void
    ) async throws {
        try await Admission.shared.enter(places: alone ? Admission.capacity : 1) {
            try await TestFolder.use { folder in
                try await WebClient.use { web in
                    let mock = Mock(web)
                    try await mock.start()
                    let daemon = Daemon(dataFolder: folder["data"], settings: Self.settings(mock) + settings)
                    let fixture = Fixture(folder: folder, web: web, mock: mock, daemon: daemon)
                    do {
                        try await daemon.start()
                        try await daemon.addPeople(people)
                        try await bounded(limit, "the test") { try await play(fixture) }
                    } catch {
                        let report = fixture.report
                        await fixture.strike()
                        throw ExpectationError("\(error)\n\(report)")
                    }
                    await fixture.strike()
                }
            }
        }
    }

    /// An app that talks to the daemon.
    var app: App { App(web: web, url: daemon.url) }

    /// The same without cookies.
    var cookielessApp: App {
        var app = app
        app.keepsCookies = false
        return app
    }

    private func strike() async {
        await daemon.destroy()
        await mock.destroy()
    }

    private var report: String {
        [daemon.program, mock.program].compactMap(\.self).map { "--- \($0.name)\n\($0.log.tail())" }
            .joined(separator: "\n")
    }

    static func settings(_ mock: Mock) -> [String] {
        [
            "providers.mock.baseURL=\(mock.url)", "providers.mock.guard.circuitPause=500ms", "faceLogin.hotCheck=200ms",
            "faceLogin.coldCheck=400ms",
            "log.access=false",
            // A test asks faster, and for the same people more often, than any client.
            "limits.pollsPerOperation.burst=100000", "limits.strangersPerAddress.burst=100000",
            "limits.initiatePerAccount.burst=100000", "limits.initiatePerAddress.burst=100000",
            "limits.openingsPerAddress.burst=100000",
        ]
    }
}
