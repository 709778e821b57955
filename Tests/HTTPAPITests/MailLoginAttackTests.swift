import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The gains of guessers, listeners and attackers from a sign-in by mail.
struct MailLoginAttackTests {
    // T-076
    @Test func `guessing: five wrong codes, and the right one comes too late`() async throws {
        try await Harness.run { harness in
            _ = try await harness.askForCode()
            let code = try #require(try await harness.mails().first).code
            for _ in 0..<5 { try harness.expect(try await harness.typeCode(code.otherCode), is: "unauthorized", 401) }
            try harness.expect(try await harness.typeCode(code), is: "unauthorized", 401)
        }
    }

    // T-076
    @Test func `guessing in parallel: exactly five of fifty tries count`() async throws {
        try await Harness.run { harness in
            let challenge = try await harness.askForCode().decode(MailLoginResponse.self).challenge
            let code = try #require(try await harness.mails().first).code
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask { try await harness.typeCode(code.otherCode, #""challenge":"\#(challenge)""#).status }
                }
                return try await group.reduce(into: [] as [Int]) { $0.append($1.code) }
            }
            #expect(statuses == Array(repeating: 401, count: 50))
            let store = harness.composition.stores.people.emailCodes
            let id = try #require(EmailCodeID(parsing: challenge))
            let counted = try await harness.composition.unitOfWork.run { try store.find(id, in: $0)?.wrongTries }
            #expect(counted == 5)
            try harness.expect(try await harness.typeCode(code), is: "unauthorized", 401)
        }
    }

    // T-077, T-078
    @Test func `another device: the right code is refused there, and good on its own`() async throws {
        try await Harness.run { harness in
            let challenge = try await harness.askForCode().decode(MailLoginResponse.self).challenge
            let code = try #require(try await harness.mails().first).code
            for name in [#""challenge":"\#(challenge)""#, #""email":"ada@example.com""#] {
                let stolen = try await harness.typeCode(code, name, on: Harness.tablet)
                try harness.expect(stolen, is: "unauthorized", 401)
            }
            #expect(try await harness.typeCode(code).status == .ok)
        }
    }

    @Test func `replay: fifty times the right code at once is one sign-in`() async throws {
        try await Harness.run { harness in
            _ = try await harness.askForCode()
            let code = try #require(try await harness.mails().first).code
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { try await harness.typeCode(code).status.code } }
                return try await group.reduce(into: [] as [Int]) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1)
            #expect(statuses.filter { $0 == 401 }.count == 49)
        }
    }

    // T-079
    @Test func `enumeration: an address that nobody has looks like any other, through all limits`() async throws {
        try await Harness.run { harness in
            var seen: [[String]] = []
            for email in ["ada@example.com", "nobody@example.com"] {
                var answers: [String] = []
                for _ in 0..<6 {
                    let answer = try await harness.askForCode(email)
                    let members = try answer.json().keys.sorted()
                    let length = answer.body.readableBytes
                    answers.append("\(answer.status.code) \(members) \(answer.headerNames) \(length)")
                    let wrong = try await harness.typeCode("000000", #""email":"\#(email)""#)
                    answers.append("\(wrong.status.code) \(wrong.headerNames) \(wrong.body.readableBytes)")
                }
                seen.append(answers)
            }
            #expect(seen[0] == seen[1])
            #expect(seen[0][10].hasPrefix("429 "), "\(seen[0])")
            let recipients = try await harness.mails().map(\.to)
            #expect(Set(recipients) == ["ada@example.com"])
        }
    }

    // T-251
    @Test func `a flood of codes: the sixth in an hour is 429 with the time to wait, and sends nothing`() async throws {
        try await Harness.run { harness in
            for number in 0..<5 {
                let device = "7b8f0c52-4d1e-4f43-9f0b-7a6f0c1d2e3\(number)"
                #expect(try await harness.askForCode("ada@example.com", on: device).status == .ok)
            }
            let sixth = try await harness.askForCode("ada@example.com", on: Harness.tablet)
            try harness.expect(sixth, is: "rate_limited", 429)
            #expect(sixth.headers[.retryAfter] == "3600")
            #expect(try await harness.mails().count == 5)
            #expect(try await harness.askForCode("bob@example.com").status == .ok, "another account's are its own")
        }
    }

    @Test func `a disabled account gets no mail, and no session for a code that it got before`() async throws {
        try await Harness.run { harness in
            _ = try await harness.askForCode()
            let code = try #require(try await harness.mails().first).code
            _ = try await harness.composition.accounts.disable("ada@example.com")
            try harness.expect(try await harness.typeCode(code), is: "unauthorized", 401)
            #expect(try await harness.askForCode().status == .ok)
            #expect(try await harness.mails().isEmpty)
        }
    }

    // T-227
    @Test func `only the code has six digits in a row`() async throws {
        try await Harness.run { harness in
            for _ in 0..<5 { _ = try await harness.askForCode() }
            for mail in try await harness.mails() {
                let runs = mail.raw.matches(of: /[0-9]+/).map(\.output).filter { $0.count == 6 }
                let code = try mail.code
                #expect(Set(runs.map { String($0) }) == [code])
            }
        }
    }

    // T-079
    @Test func `a full queue of mail is the same for every address`() async throws {
        try await Harness.run(.router, { $0.mail.maxQueued = 1 }) { harness in
            #expect(try await harness.askForCode("bob@example.com").status == .ok)
            for email in ["ada@example.com", "nobody@example.com"] {
                try harness.expect(try await harness.askForCode(email), is: "store_unavailable", 503)
            }
        }
    }

    // T-079
    @Test func `attack: changes to a taken and to a free address cost several daemons the same statements`()
        async throws
    {
        try await SpreadDaemons.$count.withValue(3) {
            try await Harness.run(storage: .memory) { harness in
                let ada = try await harness.signIn()
                var costs: [[Int]] = []
                for email in ["bob@example.com", "lovelace@example.com"] {
                    var statements: [Int] = []
                    // Five mails, three refusals by the database, and four by each daemon itself.
                    for _ in 1...12 {
                        let before = harness.daemons.uses.statements
                        let answer = try await harness.post("/auth/email", #"{"email":"\#(email)"}"#, ada.bearer)
                        #expect(answer.status == .ok)
                        statements.append(harness.daemons.uses.statements - before)
                    }
                    costs.append(statements)
                }
                #expect(costs[0] == costs[1])
                #expect(Set(costs[0]) == [0, 1])
            }
        }
    }

    // T-209
    @Test func `nothing of a code reaches the log`() async throws {
        try await Harness.run { harness in
            _ = try await harness.askForCode()
            let mail = try #require(try await harness.mails().first)
            let (code, token) = (try mail.code, try #require(try mail.path.split(separator: "/").last))
            _ = try await harness.send(.get, mail.path)
            #expect(try await harness.typeCode(code).status == .ok)
            let log = harness.log.lines.map(\.text).joined(separator: "\n")
            #expect(!log.isEmpty && !log.contains(code) && !log.contains(token))
        }
    }
}
