import Foundation
import Testing

/// The folder of mails of a daemon on a laptop.
struct Outbox {
    /// A mail as a person reads it.
    struct Mail {
        let to: String
        let text: String

        init(_ raw: String) throws {
            let lines = raw.replacing("\r\n", with: "\n")
            to = try #require(lines.firstMatch(of: /\nTo: (.*?)\n/)).output.1.description
            // Joins lines that were broken for the transport (RFC 2045 §6.7). Nothing that tests look for is encoded
            // otherwise.
            text = lines.replacing("=\n", with: "")
        }

        /// The sign-in code.
        var code: String {
            get throws { try #require(text.firstMatch(of: /\n    ([0-9]{6})\n/)).output.1.description }
        }

        /// The path of the link.
        var path: String {
            get throws { try #require(text.firstMatch(of: /https?:\/\/[^\/\s]+(\/mail\/\S+)/)).output.1.description }
        }
    }

    let folder: String

    init(_ daemon: Daemon) { folder = daemon.dataFolder + "/outbox" }

    /// The delivered mails, the oldest first.
    var mails: [Mail] {
        get throws {
            // There is none before the first mail.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return try names.filter { $0.hasSuffix(".eml") }.sorted().map {
                try Mail(String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
            }
        }
    }

    /// The newest mail to that address, once there are so many.
    func mail(to address: String, count: Int = 1) async throws -> Mail {
        try await eventually("mail \(count) to \(address)") {
            let found = try mails.filter { $0.to == address }
            return found.count >= count ? found.last : nil
        }
    }
}
