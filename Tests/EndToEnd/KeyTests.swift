import Foundation
import Kernel
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// The keys that sign, in a running daemon and on its disk.
    struct Keys {
        struct Key: Decodable {
            let kid: String
            let state: String
            let use: String
        }

        // T-208
        @Test func `a rotation is picked up without a restart, sessions live through it, and a retired key is refused`()
            async throws
        {
            try await Fixture.run(["clients.bbms.refresh=rotation"], people: ["accept@example.com"]) { fixture in
                let before = try await signIn(fixture)
                let keys = try await list(fixture)
                #expect(keys.map(\.state) == ["active", "next"])
                #expect(try await published(fixture) == keys.map(\.kid))
                #expect(try Claims.keyID(before.accessToken) == keys[0].kid)

                let early = try await fixture.daemon.command("keys", "rotate")
                #expect(early.code == 1 && early.complaint.contains(keys[1].kid), "\(early)")
                #expect(early.complaint.contains("--now"), "\(early)")
                let active = try await fixture.daemon.command("keys", "retire", keys[0].kid)
                #expect(active.code == 1 && active.complaint.contains("keys rotate --now"), "\(active)")
                let rotated = try await fixture.daemon.order(["keys", "rotate", "--now", "--json"]).json([Key].self)
                    .filter { $0.use == "tokens" }
                #expect(rotated.map(\.state) == ["active", "next", "retiring"])
                #expect(rotated[0].kid == keys[1].kid && rotated[2].kid == keys[0].kid)
                #expect(try await published(fixture) == rotated.map(\.kid))

                #expect(try await me(before.accessToken, fixture) == 200)
                #expect(try Claims.keyID(try await signIn(fixture).accessToken) == keys[1].kid)
                let refreshed = try await refresh(before.refreshToken, fixture)
                #expect(try Claims.keyID(refreshed.accessToken) == keys[1].kid)

                try await fixture.daemon.order(["keys", "retire", keys[0].kid])
                #expect(try await me(before.accessToken, fixture) == 401)
                #expect(try await me(refreshed.accessToken, fixture) == 200)
                #expect(try await !published(fixture).contains(keys[0].kid))
                let table = try await fixture.daemon.order(["keys", "list"]).output
                #expect(table.contains("retired") && table.contains(keys[0].kid), "\(table)")
                let again = try await fixture.daemon.command("keys", "retire", keys[0].kid)
                #expect(again.code == 1 && again.complaint.contains("already retired"), "\(again)")
                let outsider = try await fixture.daemon.command("keys", "retire", "x")
                #expect(outsider.code == 1 && outsider.complaint.contains("keys list"), "\(outsider)")
                let rows = try await fixture.daemon.order(["audit", "list", "--json"]).output
                #expect(rows.contains("keys.rotated") && rows.contains("keys.retired"))
            }
        }

        // T-266
        @Test func `killed in the middle of rotations, it comes up with one active key, and sessions live on`()
            async throws
        {
            try await Fixture.run(["clients.bbms.refresh=rotation"], people: ["accept@example.com"]) { fixture in
                let tokens = try await signIn(fixture)
                for delay in [0, 4, 8, 12, 20, 40] {
                    async let rotation = fixture.daemon.command("keys", "rotate", "--now")
                    try await Task.sleep(for: .milliseconds(delay))
                    await fixture.daemon.destroy()
                    // It may hold the folder by now, as a command without a daemon does.
                    _ = try await rotation
                    try await fixture.daemon.start()
                    let states = try await list(fixture).map(\.state)
                    #expect(states.count { $0 == "active" } == 1 && states.count { $0 == "next" } == 1, "\(states)")
                    #expect(try await published(fixture).count == states.count)
                    #expect(try await me(tokens.accessToken, fixture) == 200)
                }
                let refreshed = try await refresh(tokens.refreshToken, fixture)
                #expect(try await me(refreshed.accessToken, fixture) == 200)
            }
        }

        @Test func `an error in a key file is named with the path and the remedy, and nothing is started`() async throws
        {
            try await Fixture.run { fixture in
                let kid = try #require(try await list(fixture).first?.kid)
                #expect(try await fixture.daemon.stop() == .exited(0))
                let path = "\(fixture.daemon.dataFolder)/keys/signing/\(kid).pem"
                let good = try Data(contentsOf: URL(filePath: path))
                let files = FileManager.default

                try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
                try await refuses(fixture, path, "chmod 600")
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                try put(good.prefix(80), at: path)
                try await refuses(fixture, path, "Restore it from a backup")
                try files.removeItem(atPath: path)
                try await refuses(fixture, path, "Restore it from a backup")
                try put(good, at: path)
                try await fixture.daemon.start()
                #expect(try await list(fixture).first?.kid == kid)
            }
        }

        // T-206
        @Test func `with a sealing key no key is unencrypted on the disk, and without it nothing starts`() async throws
        {
            try await TestFolder.use { folder in
                let secret = try folder.write("sealing-key", "a sealing key of at least 32 characters\n")
                try await Fixture.run(["secrets.sealingKey=file:\(secret)"], people: ["accept@example.com"]) {
                    fixture in
                    let tokens = try await signIn(fixture)
                    let keys = "\(fixture.daemon.dataFolder)/keys"
                    let names = try FileManager.default.contentsOfDirectory(atPath: keys + "/signing")
                    let pems = names.filter { $0.hasSuffix(".pem") }.map { "signing/\($0)" }
                    #expect(pems.count == 2)
                    for name in pems + ["root.key"] {
                        let text = try String(contentsOfFile: "\(keys)/\(name)", encoding: .utf8)
                        #expect(text.hasPrefix("vestibule-sealed-1 ") && !text.contains("PRIVATE"))
                    }
                    try await fixture.daemon.restart()
                    #expect(try await me(tokens.accessToken, fixture) == 200)

                    #expect(try await fixture.daemon.stop() == .exited(0))
                    let words = ["keys", "list", "--data", fixture.daemon.dataFolder]
                    let bare = try await CommandRun.run(Programs.daemon, words)
                    #expect(bare.code == 74 && bare.complaint.contains("\(keys)/root.key"), "\(bare)")
                    #expect(bare.complaint.contains("secrets.sealingKey"), "\(bare)")
                }
            }
        }

        // MARK: Steps

        private func signIn(_ fixture: Fixture) async throws -> LoginTokens {
            let answer = try await fixture.app.follow(try await fixture.app.begin("accept@example.com"))
            return try #require(answer.tokens)
        }

        private func list(_ fixture: Fixture) async throws -> [Key] {
            try await fixture.daemon.order(["keys", "list", "--json"]).json([Key].self).filter { $0.use == "tokens" }
        }

        private func published(_ fixture: Fixture) async throws -> [String] {
            struct KeySet: Decodable { let keys: [PublishedKey] }
            struct PublishedKey: Decodable {
                let kid: String
                let purpose: String?

                enum CodingKeys: String, CodingKey {
                    case kid
                    case purpose = "vestibule_purpose"
                }
            }
            let reply = try await fixture.web.send(.get, "\(fixture.daemon.url)/.well-known/jwks.json")
            #expect(reply.header("cache-control") == "public, max-age=300")
            return try reply.json(KeySet.self).keys.filter { $0.purpose == nil }.map(\.kid)
        }

        private func me(_ token: String, _ fixture: Fixture) async throws -> Int {
            try await fixture.web.send(.get, "\(fixture.daemon.url)/auth/me", ["Authorization": "Bearer \(token)"])
                .status
        }

        private func refresh(_ token: String, _ fixture: Fixture) async throws -> RefreshResponse {
            let headers = ["Authorization": "Bearer \(token)"]
            return try await fixture.web.send(.post, "\(fixture.daemon.url)/auth/refresh", headers).json(
                RefreshResponse.self
            )
        }

        private func put(_ bytes: Data, at path: String) throws {
            try bytes.write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }

        private func refuses(_ fixture: Fixture, _ path: String, _ remedy: String) async throws {
            for words in [["serve"], ["keys", "list"], ["keys", "rotate", "--now"]] {
                let run = try await CommandRun.run(Programs.daemon, words + fixture.daemon.options)
                #expect(run.code == 74 && run.complaint.contains(path), "\(run)")
                #expect(run.complaint.contains(remedy), "\(run)")
            }
        }
    }
}
