import Foundation
import Testing

/// Keys that are damaged, gone or another server's.
extension EndToEnd.StartupFaults {
    // T-206
    @Test func `a key folder that was damaged is refused`() async throws {
        try await TestFolder.use { folder in
            let data = folder["data"]
            let account = ["accounts", "add", "--name", "A", "--data", data]
            let first = try await CommandRun.run(Programs.daemon, account)
            #expect(first.code == 0, "\(first)")
            try Data([1, 2, 3]).write(to: URL(filePath: "\(data)/keys/root.key"))
            let run = try await serve(data)
            #expect(run.code == Self.unusableFile, "\(run)")
            #expect(run.complaint.contains("root.key"), "\(run)")
        }
    }

    @Test func `rows whose keys are gone are refused, and no new keys are made`() async throws {
        try await TestFolder.use { folder in
            let data = folder["data"]
            let keys = "\(data)/keys"
            let account = ["accounts", "add", "--email", "a@example.com", "--data", data]
            let first = try await CommandRun.run(Programs.daemon, account)
            #expect(first.code == 0, "\(first)")
            try FileManager.default.moveItem(atPath: keys, toPath: folder["kept"])
            var runs = [try await serve(data)]
            for words in [["accounts", "list"], ["audit", "verify"]] {
                runs.append(try await CommandRun.run(Programs.daemon, words + ["--data", data]))
            }
            for run in runs {
                #expect(run.code == Self.unusableFile && run.output.isEmpty, "\(run)")
                #expect(run.complaint.contains("\(keys)/root.key") && run.complaint.contains("backup"), "\(run)")
                #expect(!FileManager.default.fileExists(atPath: keys), "\(run)")
            }
            try FileManager.default.moveItem(atPath: folder["kept"], toPath: keys)
            let verified = try await CommandRun.run(Programs.daemon, ["audit", "verify", "--data", data])
            #expect(verified.code == 0, "\(verified)")
        }
    }

    // T-215
    @Test
    func `attack: another server's keys are refused and change nothing, and the own keys start the daemon`()
        async throws
    {
        try await TestFolder.use { folder in
            let (data, other) = (folder["data"], folder["other"])
            let keys = "\(data)/keys"
            for place in [data, other] {
                let account = ["accounts", "add", "--email", "a@example.com", "--data", place]
                let first = try await CommandRun.run(Programs.daemon, account)
                #expect(first.code == 0, "\(first)")
            }
            try FileManager.default.moveItem(atPath: keys, toPath: folder["kept"])
            try FileManager.default.moveItem(atPath: "\(other)/keys", toPath: keys)
            let root = FileManager.default.contents(atPath: "\(keys)/root.key")
            let secret = try folder.write("sealing-key", "a sealing key of at least 32 characters\n")
            var runs = [
                try await serve(data), try await serve(data, ["--set", "secrets.sealingKey=file:\(secret)"]),
            ]
            for words in [
                ["accounts", "list"], ["accounts", "add", "--email", "b@example.com"], ["audit", "verify"],
                ["migrate"],
            ] {
                runs.append(try await CommandRun.run(Programs.daemon, words + ["--data", data]))
            }
            for run in runs {
                #expect(run.code == Self.unusableFile && run.output.isEmpty, "\(run)")
                #expect(run.complaint.contains("belongs to other keys than those in \(keys)"), "\(run)")
                #expect(run.complaint.contains("backup"), "\(run)")
            }
            // The other server's keys are as they were, not sealed with ours either.
            #expect(FileManager.default.contents(atPath: "\(keys)/root.key") == root)
            try FileManager.default.removeItem(atPath: keys)
            try FileManager.default.moveItem(atPath: folder["kept"], toPath: keys)
            let verified = try await CommandRun.run(Programs.daemon, ["audit", "verify", "--data", data])
            #expect(verified.code == 0, "\(verified)")
            let list = try await CommandRun.run(Programs.daemon, ["accounts", "list", "--data", data])
            #expect(list.output.contains("a@example.com") && !list.output.contains("b@example.com"), "\(list)")
        }
    }

    @Test func `a database that is empty as yet belongs to the keys of its first start too`() async throws {
        try await TestFolder.use { folder in
            let (data, other) = (folder["data"], folder["other"])
            try "email\n".write(toFile: folder["nobody.csv"], atomically: true, encoding: .utf8)
            for place in [data, other] {
                let order = ["accounts", "import", folder["nobody.csv"], "--data", place]
                let first = try await CommandRun.run(Programs.daemon, order)
                #expect(first.code == 0, "\(first)")
            }
            try FileManager.default.moveItem(atPath: "\(data)/keys", toPath: folder["kept"])
            let without = try await serve(data)
            #expect(without.code == Self.unusableFile && without.complaint.contains("root.key"), "\(without)")
            try FileManager.default.moveItem(atPath: "\(other)/keys", toPath: "\(data)/keys")
            let foreign = try await serve(data)
            #expect(foreign.code == Self.unusableFile && foreign.complaint.contains("other keys"), "\(foreign)")
        }
    }
}
