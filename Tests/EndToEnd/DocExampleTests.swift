import Foundation
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// The page of Examples/web and its backend against the daemon, as the guide "Integrate an app" starts them.
    struct DocExample {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false)
        private static let people = ["accept+2s@example.com", "reject_match@example.com"]

        private struct Order: Encodable {
            let site: String
            let issuer: String
            let provider: String
            let folder: String
            let face: String
            let refused: String
        }

        @Test(.enabled(if: Browsers.isInstalled || Browsers.isRequired, Browsers.missing))
        func `the example's page signs a person in and shows what its backend answers to the token`() async throws {
            try #require(Browsers.isInstalled, Browsers.missing)
            try await Self.run { fixture, backend in
                let order = Order(
                    site: "http://localhost:\(backend)",
                    issuer: "http://localhost:\(fixture.daemon.port)",
                    provider: fixture.mock.url,
                    folder: fixture.folder.path,
                    face: Self.people[0],
                    refused: Self.people[1]
                )
                let run = try await CommandRun.run(
                    "env",
                    [Browsers.python, Browsers.driver, "example"],
                    input: String(decoding: try JSONEncoder().encode(order), as: UTF8.self),
                    environment: ["HOME": order.folder, "PYTHONDONTWRITEBYTECODE": "1"],
                    within: .seconds(200)
                )
                #expect(run.code == 0, "\(run.error)")
            }
        }

        @Test func `without a browser, the page's calls lead to the same answer of the backend`() async throws {
            try await Self.run { fixture, backend in
                let site = "http://127.0.0.1:\(backend)"
                let page = try await fixture.web.send(.get, "\(site)/")
                #expect(page.status == 200 && page.text.contains("page.js"), "\(page)")
                #expect(page.header("Content-Security-Policy")?.hasPrefix("default-src 'none'; ") == true, "\(page)")
                let settings = try await fixture.web.send(.get, "\(site)/settings.json").json([String: String].self)
                #expect(settings == ["issuer": "http://localhost:\(fixture.daemon.port)", "client": "bbms"])

                var app = fixture.cookielessApp
                app.headers = ["Origin": "http://localhost:\(backend)"]
                let login = try await app.begin(Self.people[0], withVerifier: true)
                let tokens = try #require(try await app.follow(login).tokens)
                let acknowledged = try await app.acknowledge(login)
                #expect(acknowledged.status == 200, "\(acknowledged)")
                #expect(acknowledged.header("Access-Control-Allow-Origin") == app.headers["Origin"], "\(acknowledged)")

                let bearer = ["Authorization": "Bearer \(tokens.accessToken)"]
                let orders = try await fixture.web.send(.get, "\(site)/orders", bearer)
                #expect(orders.status == 200 && orders.text.contains("signed in at"), "\(orders)")
            }
        }

        @Test func `attack: the example backend answers 401 without a valid access token`() async throws {
            try await Self.run { fixture, backend in
                let orders = "http://127.0.0.1:\(backend)/orders"
                let login = try await fixture.app.begin(Self.people[0])
                let tokens = try #require(try await fixture.app.follow(login).tokens)
                for token in ["", "abc", tokens.refreshToken, String(tokens.accessToken.dropLast(4))] {
                    let answer = try await fixture.web.send(.get, orders, ["Authorization": "Bearer \(token)"])
                    #expect(answer.status == 401, "\(token): \(answer)")
                }
                let answer = try await fixture.web.send(.get, orders)
                #expect(answer.status == 401, "\(answer)")
            }
        }

        @Test func `the guide shows the example's files as they are`() throws {
            let guide = try String(contentsOfFile: Self.root + "/docs/guide/integrate-an-app.md", encoding: .utf8)
            let script = try String(contentsOfFile: Self.root + "/Examples/web/sign-in.js", encoding: .utf8)
            let shown = guide.matches(of: /```js\n(?<text>(?s:.*?))```/).map { String($0.output.text) }
            #expect(!shown.isEmpty && shown.allSatisfy(script.contains))
            for file in guide.matches(of: /\.\.\/\.\.\/(Examples\/[\w\/.-]+)/) {
                #expect(FileManager.default.fileExists(atPath: "\(Self.root)/\(file.output.1)"), "\(file.output.1)")
            }
        }

        /// Runs `play` with the port of the backend beside a daemon that its page may call.
        private static func run(_ play: @escaping @Sendable (Fixture, Int) async throws -> Void) async throws {
            // The daemon has to know the page's origin before it starts. The system gives these ports to nobody.
            let port = Int.random(in: 20_000...30_000)
            try await Fixture.run(["listen.corsOrigins=http://localhost:\(port)"], people: people) { fixture in
                let (backend, _) = try await RunningProgram.listening(
                    "sample-backend",
                    [
                        "--issuer", "http://localhost:\(fixture.daemon.port)", "--port", "\(port)", "--pages",
                        root + "/Examples/web",
                    ],
                    line: "sample-backend listening on "
                )
                do { try await play(fixture, port) } catch {
                    await backend.destroy()
                    throw error
                }
                await backend.destroy()
            }
        }
    }
}
