import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// `vestibule audit` and what the daemon writes for it: rows, checkpoints, purges.
    @Suite(.enabled(if: Database.isReadable, Database.missingTool)) struct Audit {
        struct View: Decodable {
            let isSound: Bool
            let finding: String
            let firstRow: Int64
            let lastRow: Int64
            let checkpoints: Int
            let newestCheckpoint: Int64?
            let uncoveredRows: Int64
        }

        struct Row: Decodable {
            let number: Int64
            let fact: String
            let detail: String?
        }

        private static let often = ["audit.checkpointInterval=1s"]

        private static func verify(_ daemon: Daemon, _ more: String...) async throws -> (code: Int32, view: View) {
            let run = try await CommandRun.run(Programs.daemon, ["audit", "verify", "--json"] + more + daemon.options)
            return (run.code, try run.json(View.self))
        }

        /// A login with an attempt to cancel it by its id alone; the daemon is left stopped.
        private static func play(_ fixture: Fixture) async throws {
            let login = try await fixture.app.begin("accept@example.com")
            _ = try await fixture.cookielessApp.cancel(.init(id: login.id, page: "", cookies: [], verifier: nil))
            _ = try await fixture.app.follow(login)
            _ = try await fixture.app.acknowledge(login)
            #expect(try await fixture.daemon.stop() == .exited(0))
        }

        @Test func `transitions and refusals are on record, checkpointed when the daemon stops, and verify`()
            async throws
        {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let daemon = fixture.daemon
                let before = try await Self.verify(daemon)
                #expect(before.code == 0 && before.view.isSound)
                try await Self.play(fixture)
                let file = daemon.dataFolder + "/audit/checkpoints.jws"
                var status = stat()
                #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
                let after = try await Self.verify(daemon)
                #expect(after.code == 0 && after.view.finding == "sound")
                #expect(after.view.uncoveredRows == 0 && after.view.newestCheckpoint == after.view.lastRow - 1)
                let rows = try await daemon.order(["audit", "list", "--json"]).json([Row].self)
                let events = rows.map(\.fact)
                for fact in [
                    "operation.opened", "operation.scan_started", "operation.approved", "operation.redeemed",
                    "operation.closed", "operations.tally",
                ] {
                    #expect(events.contains(fact), "\(fact) in \(events)")
                }
                #expect(rows.contains { $0.fact == "operation.refused" && $0.detail == "cancel_unproven" })
                try await daemon.start()
                #expect(try await Self.verify(daemon).code == 0)
            }
        }

        // T-211
        @Test(
            arguments: [
                ("UPDATE audit SET detail = 'x' WHERE number = 2", "broken"),
                ("DELETE FROM audit WHERE number = 3", "broken"),
                ("DELETE FROM audit WHERE number < 3", "start_missing"),
                ("DELETE FROM audit WHERE number > 2", "end_missing"), ("DELETE FROM audit", "end_missing"),
            ]
        )
        func `attack: audit verify names the change of a database, with the daemon stopped and with it running`(
            _ sql: String,
            _ finding: String
        ) async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let daemon = fixture.daemon
                try await Self.play(fixture)
                try await daemon.database.change(sql)
                let stopped = try await Self.verify(daemon)
                #expect(stopped.code == 1 && !stopped.view.isSound && stopped.view.finding == finding)
                try await daemon.start()
                let running = try await Self.verify(daemon)
                #expect(running.code == 1 && running.view.finding == finding)
            }
        }

        // T-213
        @Test func `attack: audit verify finds rows cut off together with all checkpoints`()
            async throws
        {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let daemon = fixture.daemon
                try await Self.play(fixture)
                let (file, kept) = (daemon.dataFolder + "/audit/checkpoints.jws", fixture.folder["kept.jws"])
                let last = try await Self.verify(daemon).view.lastRow
                try FileManager.default.moveItem(atPath: file, toPath: kept)
                try await daemon.database.change("DELETE FROM audit WHERE number > \(last - 2)")
                let stopped = try await Self.verify(daemon)
                #expect(stopped.code == 1 && stopped.view.finding == "checkpoints_missing")
                let refused = try await CommandRun.run(Programs.daemon, ["audit", "checkpoint"] + daemon.options)
                #expect(refused.code == 1 && refused.complaint.contains("--anew"), "\(refused)")
                try await daemon.start()
                try await eventually("an error") {
                    let lines = daemon.program?.log.error.split(separator: "\n") ?? []
                    return lines.contains { $0.contains(" error ") && $0.contains("checkpoints of the audit are gone") }
                }
                let running = try await Self.verify(daemon)
                #expect(running.code == 1 && running.view.finding == "checkpoints_missing")
                #expect(!FileManager.default.fileExists(atPath: file), "nothing is signed over the loss")
                try await daemon.order(["audit", "checkpoint", "--anew"])
                #expect(try await Self.verify(daemon).code == 0)
                let rows = try await daemon.order(["audit", "list", "--json"]).json([Row].self)
                #expect(rows.contains { $0.fact == "audit.checkpoints_begun_anew" }, "the loss is on record")
                #expect(try await Self.verify(daemon, "--checkpoints", kept).code == 1, "and a copy tells it still")
            }
        }

        // T-213
        @Test func `attack: audit verify finds a chain cut to its first row with the checkpoints gone`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let daemon = fixture.daemon
                try await Self.play(fixture)
                let file = daemon.dataFolder + "/audit/checkpoints.jws"
                try FileManager.default.removeItem(atPath: file)
                let rows = try await daemon.order(["audit", "list", "--json"]).json([Row].self)
                let counting = rows.filter { $0.fact.hasPrefix("audit.checkpoint") }.map(\.number)
                let first = try #require(counting.min())
                #expect(first == 1, "nothing writes a row before it")
                try await daemon.database.change("DELETE FROM audit WHERE number > \(first)")
                let stopped = try await Self.verify(daemon)
                #expect(stopped.code == 1 && stopped.view.finding == "checkpoints_missing")
                try await daemon.start()
                try await eventually("an error") {
                    let lines = daemon.program?.log.error.split(separator: "\n") ?? []
                    return lines.contains { $0.contains(" error ") && $0.contains("checkpoints of the audit are gone") }
                }
                #expect(!FileManager.default.fileExists(atPath: file), "nothing is signed over the loss")
            }
        }

        // T-213
        @Test func `attack: audit verify finds a cut chain also where a command had created the database`() async throws
        {
            try await Fixture.run { fixture in
                let daemon = fixture.daemon
                #expect(try await daemon.stop() == .exited(0))
                try FileManager.default.removeItem(atPath: daemon.dataFolder)
                try await daemon.addPeople(["accept@example.com"])
                try await daemon.start()
                try await Self.play(fixture)
                try FileManager.default.removeItem(atPath: daemon.dataFolder + "/audit/checkpoints.jws")
                let rows = try await daemon.order(["audit", "list", "--json"]).json([Row].self)
                let first = rows.first { $0.number == 1 }?.fact
                #expect(first == "audit.checkpoints_begun", "nothing writes a row before it")
                let signed = try #require(rows.filter { $0.fact == "audit.checkpoint_signed" }.map(\.number).min())
                try await daemon.database.change("DELETE FROM audit WHERE number >= \(signed)")
                let found = try await Self.verify(daemon)
                #expect(found.code == 1 && found.view.finding == "checkpoints_missing")
            }
        }

        // T-213
        @Test func `attack: audit verify with a copy of the checkpoints finds that an old database was restored`()
            async throws
        {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let daemon = fixture.daemon
                let (data, old) = (daemon.dataFolder, fixture.folder["old"])
                #expect(try await daemon.stop() == .exited(0))
                try FileManager.default.copyItem(atPath: data, toPath: old)
                try await daemon.start()
                try await Self.play(fixture)
                let copy = fixture.folder["copy.jws"]
                try FileManager.default.copyItem(atPath: data + "/audit/checkpoints.jws", toPath: copy)
                try FileManager.default.removeItem(atPath: data)
                try FileManager.default.moveItem(atPath: old, toPath: data)
                #expect(try await Self.verify(daemon).code == 0)
                let found = try await Self.verify(daemon, "--checkpoints", copy)
                #expect(found.code == 1 && found.view.finding == "end_missing")
            }
        }

        // T-215
        @Test func `a database that is gone is an error in the log, and put back in time nothing is amiss`()
            async throws
        {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let daemon = fixture.daemon
                try await Self.play(fixture)
                let last = try #require(try await Self.verify(daemon).view.newestCheckpoint)
                let kept = fixture.folder["kept.sqlite"]
                try FileManager.default.moveItem(atPath: daemon.database.path, toPath: kept)
                try await daemon.start()
                try await eventually("an error") {
                    let lines = daemon.program?.log.error.split(separator: "\n") ?? []
                    return lines.contains { line in
                        line.contains(" error ") && line.contains("expected=checkpoint of row \(last)")
                            && line.contains("found=")
                    }
                }
                #expect(try await daemon.stop() == .exited(0))
                for name in ["", "-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: daemon.database.path + name)
                }
                try FileManager.default.moveItem(atPath: kept, toPath: daemon.database.path)
                #expect(try await Self.verify(daemon).code == 0)
            }
        }

        // T-215
        @Test func `attack: audit verify reports another server's checkpoint as forged_checkpoint`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                try await Self.play(fixture)
                let forged = fixture.folder["forged.jws"]
                let other = Daemon(dataFolder: fixture.folder["other"], settings: [])
                try await other.order(["accounts", "add", "--name", "Somebody"])
                let line = try await other.order(["audit", "checkpoint"]).output
                try Data(line.utf8).write(to: URL(filePath: forged))
                let found = try await Self.verify(fixture.daemon, "--checkpoints", forged)
                #expect(found.code == 1 && found.view.finding == "forged_checkpoint")
            }
        }

        // A database of before there were marks must not take whatever keys lie beside it: its audit knows its own.
        // T-215
        @Test func `attack: a database without a key mark is not opened with another server's keys`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let (daemon, folder) = (fixture.daemon, fixture.folder)
                try await Self.play(fixture)
                let other = Daemon(dataFolder: folder["other"], settings: [])
                try await other.order(["accounts", "add", "--name", "Somebody"])
                try await daemon.database.change("DELETE FROM key_mark")
                let keys = "\(daemon.dataFolder)/keys"
                try FileManager.default.moveItem(atPath: keys, toPath: folder["kept"])
                try FileManager.default.moveItem(atPath: "\(other.dataFolder)/keys", toPath: keys)
                for words in [["serve", "--set", "listen.port=0"], ["audit", "verify"], ["migrate"]] {
                    let run = try await CommandRun.run(Programs.daemon, words + daemon.options)
                    #expect(run.code == 74 && run.output.isEmpty, "\(run)")
                    #expect(run.complaint.contains("belongs to other keys than those in \(keys)"), "\(run)")
                }
                try FileManager.default.removeItem(atPath: keys)
                try FileManager.default.moveItem(atPath: folder["kept"], toPath: keys)
                #expect(try await Self.verify(daemon).code == 0, "it took no mark of the others")
            }
        }

        @Test func `a running daemon makes checkpoints, and each is printed once by the command`() async throws {
            try await Fixture.run(Self.often) { fixture in
                let daemon = fixture.daemon
                try await daemon.order(["accounts", "add", "--name", "Somebody"])
                try await eventually("a checkpoint", within: .seconds(60), every: .milliseconds(200)) {
                    try await Self.verify(daemon).view.uncoveredRows == 0
                }
                let first = try await daemon.order(["audit", "checkpoint"]).output
                #expect(try await daemon.order(["audit", "checkpoint"]).output == first)
                let object = try await daemon.order(["audit", "checkpoint", "--json"]).json([String: String].self)
                #expect(object["checkpoint"] == first.trimmingCharacters(in: .newlines) && object.count == 1)
                let key = try await daemon.order(["audit", "key", "--json"]).json([String: String].self)
                #expect(key["crv"] == "Ed25519" && key["x"] != nil)
                #expect(first.split(separator: ".").count == 3)
                #expect(try await daemon.order(["audit", "key"]).output.contains(#""crv":"Ed25519""#))
            }
        }
    }
}
