import Foundation
import Kernel
import Mail
import MailServer
import Testing

@testable import Outbound

/// Against a real server in a process of its own; one after the other, for each takes a moment to start.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SMTPTests {
    private let folder: MailFolder

    init() throws { folder = try MailFolder() }

    private func transport(
        _ server: MailServer,
        _ security: SMTPConfiguration.Security = .starttls,
        host: String = "localhost",
        credentials: SMTPConfiguration.Credentials? = nil,
        caFile: String?? = nil,
        timeout: Duration = .seconds(60)
    ) async throws -> SMTPTransport {
        SMTPTransport(
            SMTPConfiguration(
                host: host,
                port: server.port,
                security: security,
                credentials: credentials,
                caFile: try await certificate(caFile),
                connectTimeout: .seconds(30),
                timeout: timeout,
                sender: try #require(MailAddress(parsing: "no-reply@sender.example.com"))
            )
        )
    }

    private func certificate(_ file: String??) async throws -> String? {
        if let file { return file }
        return try await folder.certificate().certificate
    }

    private func message(to recipient: String = "person@example.com", _ body: String = "Hello.") -> MailMessage {
        let text = "From: no-reply@sender.example.com\r\nTo: \(recipient)\r\nSubject: x\r\n\r\n\(body)\r\n"
        return MailMessage(recipient: recipient, bytes: Array(text.utf8))
    }

    private func failure(
        _ transport: SMTPTransport,
        to recipient: String = "person@example.com"
    ) async -> MailTransportError? {
        do throws(MailTransportError) {
            try await transport.deliver(message(to: recipient))
            return nil
        } catch { return error }
    }

    @Test(arguments: [SMTPConfiguration.Security.implicit, .starttls])
    func `a mail arrives as it was, inside TLS`(_ security: SMTPConfiguration.Security) async throws {
        let server = try await MailServer(security == .implicit ? .implicit : .starttls, in: folder)
        let sent = message()
        try await transport(server, security).deliver(sent)
        let taken = try #require(try server.taken.first)
        #expect(try server.taken.count == 1)
        #expect(taken.from == "no-reply@sender.example.com")
        #expect(taken.to == ["person@example.com"])
        #expect(Array(taken.data) == sent.bytes)
        #expect(taken.isEncrypted)
        #expect(taken.host == "sender.example.com", "not this machine's name")
        #expect(taken.user == nil)
    }

    @Test func `lines of dots and long mails come through unchanged`() async throws {
        let server = try await MailServer(.starttls, in: folder)
        let dots = (1...4000).map { String(repeating: ".", count: $0 % 5) + "line \($0)" }
        let sent = message(["", ".", "..", ".x", "a.", "."].joined(separator: "\r\n") + dots.joined(separator: "\r\n"))
        try await transport(server).deliver(sent)
        #expect(Array(try #require(try server.taken.first).data) == sent.bytes)
    }

    @Test(arguments: ["PLAIN", "LOGIN"])
    func `it signs in, by either mechanism`(_ mechanism: String) async throws {
        let signIn = ("vestibule", "open sesame")
        let server = try await MailServer(.starttls, in: folder, signIn: signIn, mechanism: mechanism)
        let credentials = SMTPConfiguration.Credentials(user: "vestibule", password: Secret("open sesame"))
        try await transport(server, credentials: credentials).deliver(message())
        #expect(try server.taken.map(\.user) == ["vestibule"])
    }

    @Test func `a wrong password, and none where one is asked for, are faults of the config`() async throws {
        let server = try await MailServer(.implicit, in: folder, signIn: ("vestibule", "open sesame"))
        let wrong = SMTPConfiguration.Credentials(user: "vestibule", password: Secret("guess"))
        let refused = await failure(try await transport(server, .implicit, credentials: wrong))
        #expect(refused?.kind == .configuration)
        #expect(refused?.reply == 535)
        #expect(await failure(try await transport(server, .implicit))?.kind == .configuration)
        #expect(try server.taken.isEmpty)
    }

    // T-225
    @Test(arguments: [SMTPConfiguration.Security.implicit, .starttls])
    func `attack: an untrusted certificate ends the connection before sign-in`(
        _ security: SMTPConfiguration.Security
    ) async throws {
        let server = try await MailServer(
            security == .implicit ? .implicit : .starttls,
            in: folder,
            signIn: ("vestibule", "open sesame")
        )
        let credentials = SMTPConfiguration.Credentials(user: "vestibule", password: Secret("open sesame"))
        let other = try await folder.certificate(named: "other").certificate
        for caFile in [other, nil] {
            let refused = await failure(
                try await transport(server, security, credentials: credentials, caFile: .some(caFile))
            )
            #expect(refused?.kind == .configuration)
        }
        #expect(try server.taken.isEmpty)
    }

    // T-225
    @Test func `attack: a certificate for another host is refused`() async throws {
        for (offered, security) in [
            (MailServer.Security.implicit, SMTPConfiguration.Security.implicit), (.starttls, .starttls),
        ] {
            let server = try await MailServer(offered, in: folder)
            #expect(await failure(try await transport(server, security, host: "127.0.0.1"))?.kind == .configuration)
            #expect(try server.taken.isEmpty)
        }
    }

    // T-225
    @Test func `attack: a server without STARTTLS is sent no mail`() async throws {
        let server = try await MailServer(.none, in: folder)
        #expect(await failure(try await transport(server, .starttls))?.kind == .configuration)
        #expect(await failure(try await transport(server, .implicit))?.kind == .configuration)
        #expect(try server.taken.isEmpty)
    }

    @Test func `4xx is temporary, and the next try arrives`() async throws {
        let server = try await MailServer(.starttls, in: folder)
        let transport = try await transport(server)
        let refused = await failure(transport, to: "temporary-1@example.com")
        #expect(refused?.kind == .temporary)
        #expect(refused?.reply == 451)
        #expect(await failure(transport, to: "temporary-1@example.com") == nil)
        #expect(try server.taken.count == 1)
    }

    @Test(arguments: [("bounced@example.com", 550), ("rejected@example.com", 554)])
    func `5xx is permanent, before the mail and after it, and repeats no address`(
        _ recipient: String,
        _ reply: Int
    ) async throws {
        let server = try await MailServer(.starttls, in: folder)
        let refused = await failure(try await transport(server), to: recipient)
        #expect(refused?.kind == .permanent)
        #expect(refused?.reply == reply)
        #expect(refused?.cause.contains("example.com") == false)
        #expect(try server.taken.isEmpty)
    }

    /// RFC 5321 §4.1.1.1: 550 to EHLO is about the sending host.
    ///
    /// Bounced for it, every mail that waits would be lost.
    @Test(arguments: [SMTPConfiguration.Security.implicit, .starttls])
    func `a server that refuses our greeting has refused no mail`(_ security: SMTPConfiguration.Security) async throws {
        let server = try await MailServer(security == .implicit ? .implicit : .starttls, in: folder, turnsAway: true)
        let refused = await failure(try await transport(server, security))
        #expect(refused?.kind == .configuration)
        #expect(refused?.reply == 550)
        #expect(try server.taken.isEmpty)
    }

    @Test func `a server that is not there, and one that does not answer, are temporary, and hold nobody up for long`()
        async throws
    {
        let server = try await MailServer(.starttls, in: folder)
        let begun = ContinuousClock.now
        let slow = await failure(try await transport(server, timeout: .seconds(2)), to: "slow@example.com")
        #expect(slow?.kind == .temporary)
        // Two seconds, and two for the farewell; libcurl's own patience would be 120.
        #expect(ContinuousClock.now - begun < .seconds(60))
        server.stop()
        let gone = await failure(try await transport(server))
        #expect(gone?.kind == .temporary)
        #expect(gone?.reply == nil)
    }

    @Test func `a sender that is cancelled before the mail is out gives up`() async throws {
        let server = try await MailServer(.starttls, in: folder)
        let transport = try await transport(server)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(transport)
        }
        #expect(await task.value?.kind == .temporary)
        #expect(try server.taken.isEmpty)
    }

    // T-226
    @Test func `attack: an address with a line break is refused and never sent in a command`() async throws {
        let server = try await MailServer(.starttls, in: folder)
        let evil = "person@example.com>\r\nRCPT TO:<other@example.com"
        #expect(MailAddress(evil, name: nil) == nil, "no such address can be made")
        // Should one come this far all the same, the transport lets nothing of it through either.
        #expect(await failure(try await transport(server), to: evil) != nil)
        #expect(try server.taken.isEmpty)
    }
}
