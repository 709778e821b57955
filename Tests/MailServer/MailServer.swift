package import Foundation
import Synchronization

/// A real SMTP server (aiosmtpd) in a process of its own, on this machine.
///
/// By the recipient's name it refuses: see scripts/mail-server.py.
package final class MailServer: Sendable {
    /// How it is spoken to.
    package enum Security: String, Sendable, CaseIterable {
        case implicit, starttls
        /// Offers no encryption at all.
        case none
    }

    /// A mail that it took.
    package struct Taken: Decodable, Sendable {
        package let from: String
        package let to: [String]
        /// As it came over the wire, without the stuffed dots.
        package let data: Data
        /// The client's greeting.
        package let host: String
        package let isEncrypted: Bool
        package let user: String?

        package var text: String { String(decoding: data, as: UTF8.self) }
    }

    /// An error of the server itself.
    package struct ServerError: Error, CustomStringConvertible {
        package let description: String
    }

    private struct State {
        var port = 0
        var process: ChildProcess?
    }

    private let folder: MailFolder
    private let arguments: [String]
    private let state = Mutex(State())

    package var port: Int { state.withLock { $0.port } }

    /// Starts it.
    ///
    /// `signIn`: the user and password that it asks for; `turnsAway`: whether it refuses whoever greets it.
    package init(
        _ security: Security,
        in folder: MailFolder,
        signIn: (user: String, password: String)? = nil,
        mechanism: String? = nil,
        turnsAway: Bool = false
    ) async throws {
        self.folder = folder
        var arguments = [Self.root + "/scripts/mail-server.py", "--security", security.rawValue]
        arguments += ["--kept", folder.path + "/kept.jsonl"]
        if security != .none {
            let (certificate, key) = try await folder.certificate()
            arguments += ["--certificate", certificate, "--key", key]
        }
        if let signIn { arguments += ["--user", signIn.user, "--password", signIn.password] }
        if let mechanism { arguments += ["--mechanism", mechanism] }
        if turnsAway { arguments.append("--turn-away") }
        self.arguments = arguments
        try await start()
    }

    deinit { stop() }

    /// Starts it (again), on the port that it had.
    package func start() async throws {
        let python = Self.root + "/.build/mail-server/bin/python"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw ServerError(description: "\(python) does not exist. Run scripts/mail-server.sh, as `make test` does.")
        }
        let process = try ChildProcess([python] + arguments + ["--port", "\(port)"])
        state.withLock { $0.process = process }
        let line = await process.firstLine()
        guard let word = line.split(separator: " ").last, let port = Int(word) else {
            throw ServerError(description: "The mail server ended before it listened.")
        }
        state.withLock { $0.port = port }
    }

    /// Ends it as a power cut would.
    package func stop() {
        let process = state.withLock { state in
            defer { state.process = nil }
            return state.process
        }
        process?.end()
    }

    /// The mails that it accepted since its first start.
    package var taken: [Taken] { get throws { try folder.taken } }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: false).trimmingSlash
}

/// A folder of one test's own, gone when the test is over.
package final class MailFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The mails that the server with this folder accepted since its first start.
    package var taken: [MailServer.Taken] {
        get throws {
            guard let lines = try? String(contentsOfFile: path + "/kept.jsonl", encoding: .utf8) else { return [] }
            return try lines.split(separator: "\n").map {
                try JSONDecoder().decode(MailServer.Taken.self, from: Data($0.utf8))
            }
        }
    }

    /// A certificate for `localhost` that signs itself, and its key; made once.
    package func certificate(named name: String = "server") async throws -> (certificate: String, key: String) {
        let (certificate, key) = ("\(path)/\(name).pem", "\(path)/\(name).key")
        guard !FileManager.default.fileExists(atPath: certificate) else { return (certificate, key) }
        let words =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
        let process = try ChildProcess(
            words.split(separator: " ").map(String.init)
                + ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
        )
        guard await process.wait() == 0 else {
            throw MailServer.ServerError(description: "openssl made no certificate (apt-get install openssl)")
        }
        return (certificate, key)
    }
}

extension String {
    fileprivate var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
