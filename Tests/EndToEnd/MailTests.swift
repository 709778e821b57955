import Foundation
import MailServer
import Testing

extension EndToEnd {
    /// `vestibule mail`, through the daemon's queue, to an outbox and to a real mail server.
    struct Mail {
        private struct View: Decodable {
            let state: String
            let to: String?
            let failure: String?
            let reply: Int?
        }

        /// The settings that have a daemon send its mail there.
        static func settings(_ server: MailServer, _ folder: MailFolder) async throws -> [String] {
            [
                "mail.from=Example <no-reply@sender.example.com>", "mail.smtp.host=localhost",
                "mail.smtp.port=\(server.port)", "mail.smtp.caFile=\(try await folder.certificate().certificate)",
                "mail.smtp.username=vestibule", "mail.smtp.password=open sesame",
            ]
        }

        @Test func `on a laptop mail is a file, with the daemon running and stopped`() async throws {
            try await Fixture.run { fixture in
                let outbox = fixture.daemon.dataFolder + "/outbox"
                let first = try await fixture.daemon.command("mail", "test", "person@example.com")
                #expect(first.code == 0, "\(first)")
                let name = try #require(try FileManager.default.contentsOfDirectory(atPath: outbox).first)
                let text = try String(contentsOfFile: "\(outbox)/\(name)", encoding: .utf8)
                #expect(text.contains("\r\nTo: person@example.com\r\n"))
                #expect(text.contains("Subject: A test mail from Vestibule\r\n"))
                #expect(try await fixture.daemon.stop() == .exited(0))
                let unknown = try await fixture.daemon.command("mail", "test", "person@example.com", "--language", "pt")
                #expect(unknown.code == 1 && unknown.complaint.contains("one of en, fr, es, sv, de"), "\(unknown)")
                let second = try await fixture.daemon.command("mail", "test", "person@example.com", "--language", "sv")
                #expect(second.code == 0, "\(second)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: outbox).count == 2)
            }
        }

        @Test func `mail reaches a mail server, bounces are listed, and a flush sends the waiting mail`() async throws {
            let folder = try MailFolder()
            let server = try await MailServer(.starttls, in: folder, signIn: ("vestibule", "open sesame"))
            try await Fixture.run(try await Self.settings(server, folder)) { fixture in
                let daemon = fixture.daemon
                let taken = try await daemon.command("mail", "test", "person@example.com")
                #expect(taken.code == 0, "\(taken)")
                #expect(try folder.taken.map(\.user) == ["vestibule"])

                let bounced = try await daemon.command("mail", "test", "bounced@example.com")
                #expect(bounced.code == 1)
                #expect(bounced.complaint.contains("permanent (the server's reply was 550)"), "\(bounced)")
                let views = try await daemon.command("mail", "list", "--state", "bounced", "--json").json([View].self)
                #expect(views.map(\.to) == ["bounced@example.com"])
                #expect(views.map(\.reply) == [550])

                let late = try await daemon.command("mail", "test", "temporary-1@example.com")
                if late.code != 0 {
                    #expect(try await daemon.command("mail", "flush").code == 0)
                }
                #expect(try folder.taken.map { $0.to[0] } == ["person@example.com", "temporary-1@example.com"])
                let log = try #require(daemon.program).log.tail()
                #expect(!log.contains("@example.com"), "no address in the log")
            }
            withExtendedLifetime(server) {}
        }
    }
}
