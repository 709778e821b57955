import Foundation
import Kernel
import Mail
import MailServer
import MemoryStore
import Testing

@testable import Outbound

struct OutboxTests {
    private let folder: MailFolder
    private let time = VirtualTime()
    private let message = MailMessage(
        recipient: "person@example.com",
        bytes: Array("Subject: x\r\n\r\nHello.\r\n".utf8)
    )

    init() throws { folder = try MailFolder() }

    private var path: String { folder.path + "/outbox" }

    // T-222, T-227
    @Test func `a mail is a file of this user's alone, whole, under a name that sorts by time and looks like no code`()
        async throws
    {
        let outbox = Outbox(folder: path, environment: time.environment())
        for _ in 0..<50 {
            try await outbox.deliver(message)
            time.advance(by: .milliseconds(1234))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(names.count == 50)
        #expect(names.allSatisfy { $0.hasSuffix(".eml") && !$0.hasPrefix(".") }, "no half-written file is left")
        #expect(names.allSatisfy { $0.digitRuns.allSatisfy { $0.count < 6 } })
        let first = try #require(names.min())
        #expect(first.hasPrefix("2027-01-15T08-00-00-000-"))
        #expect(try Data(contentsOf: URL(filePath: "\(path)/\(first)")) == Data(message.bytes))
        for name in [first, "."] {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
            #expect(mode == (name == "." ? 0o700 : 0o600))
        }
    }

    @Test func `a folder that can't be written is a temporary failure, and leaves nothing`() async throws {
        try Data().write(to: URL(filePath: path))
        let outbox = Outbox(folder: path, environment: time.environment())
        await #expect { try await outbox.deliver(message) } throws: { ($0 as? MailTransportError)?.kind == .temporary }
    }
}
