import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Mail
import MemoryStore
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// A mail as somebody reads it.
struct ReadMail: Sendable {
    let to: String
    let subject: String
    /// As it lies in the outbox.
    let raw: String
    /// The plain part, decoded.
    let text: String

    init(_ raw: String) throws {
        self.raw = raw
        // A line break is one character of a Swift string, and two of a regular expression.
        let lines = raw.replacing("\r\n", with: "\n")
        to = try #require(lines.firstMatch(of: /\nTo: (.*?)\n/)).output.1.description
        subject = try #require(lines.firstMatch(of: /\nSubject: (.*?)\n/)).output.1.description
        let part = try #require(lines.firstMatch(of: /text\/plain[\s\S]*?\n\n([\s\S]*?)\n--=_/)).output.1
        text = Self.decode(String(part))
    }

    /// Quoted-printable (RFC 2045 §6.7).
    private static func decode(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.replacing("=\n", with: "").utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "="),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The sign-in code.
    var code: String {
        get throws { try #require(text.firstMatch(of: /\n    ([0-9]{6})\n/)).output.1.description }
    }

    /// The code that proves an address in an app.
    var addressCode: String {
        get throws { try #require(text.firstMatch(of: /\n    ([A-Z]{4}-[A-Z]{4})\n/)).output.1.description }
    }

    /// The path of the link.
    var path: String {
        get throws { try #require(text.firstMatch(of: /https?:\/\/[^\/\s]+(\/mail\/\S+)/)).output.1.description }
    }
}

extension Harness {
    /// Delivers what waits, and reads what lies in the outbox since the last time.
    func mails() async throws -> [ReadMail] {
        await composition.mail.worker.deliverDue(until: time.now + .seconds(3600))
        let folder = settings.mail.outbox
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try names.sorted().map { name in
            let path = "\(folder)/\(name)"
            defer { try? FileManager.default.removeItem(atPath: path) }
            return try ReadMail(String(contentsOfFile: path, encoding: .utf8))
        }
    }

    static let mailPhone = "7b8f0c52-4d1e-4f43-9f0b-7a6f0c1d2e3f"
    static let tablet = "0c9d8e7f-6a5b-4c3d-8e1f-2a3b4c5d6e7f"

    func askForCode(
        _ email: String = "ada@example.com",
        on device: String = Harness.mailPhone,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await post("/api/mobile/auth/login", #"{"email":"\#(email)","deviceId":"\#(device)"}"#, headers)
    }

    func typeCode(
        _ code: String,
        _ name: String = #""email":"ada@example.com""#,
        on device: String = Harness.mailPhone,
        more: String = "",
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let json = #"{\#(name),"deviceId":"\#(device)","code":"\#(code)"\#(more)}"#
        return try await post("/api/mobile/auth/login/verify", json, headers)
    }

    /// Presses the button of a page with a form.
    func submit(_ path: String, _ form: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.post, path, headers.adding(.contentType, "application/x-www-form-urlencoded"), body: form)
    }

    /// An account that somebody opened with an address that nobody has proven, and its id.
    func addUnproven(_ email: String, password: Bool = false) async throws -> AccountID {
        let account: AccountID = AccountID(UUIDBits(version4: Array(email.utf8) + Array(repeating: 7, count: 16)))
        let record = AccountRecord(
            account: Account(
                id: account,
                displayName: "Casey",
                state: .active,
                attributes: AccountAttributes(),
                createdAt: time.wall
            ),
            emails: [VerifiedEmail(address: try #require(EmailAddress(email)), isVerified: false)],
            enrolments: [Enrolment(provider: "mock", reference: "enrolment of \(email)", isActive: true)],
            passwordHash: password ? Secret("scrypt$16384$8$5$c2FsdA$aGFzaA") : nil
        )
        let store = composition.stores.people.accounts
        try await composition.unitOfWork.run { try store.insert(record, in: $0) }
        return account
    }
}

extension String {
    /// Six digits that are not these.
    var otherCode: String { self == "111111" ? "222222" : "111111" }
}
