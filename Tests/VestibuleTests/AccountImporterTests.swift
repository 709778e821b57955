import Accounts
import Synchronization
import Testing

@testable import Admin
@testable import Vestibule

/// A file of any length is imported by parts, and the operator sees how far it is.
struct AccountImporterTests {
    @Test func `a long file is sent in bounded batches, each line once and in order`() async throws {
        let daemon = ScriptedDaemon { lines in .init(done: lines.count, added: lines.count) }
        let (outcome, reports) = try await daemon.take(lines(450))
        #expect(outcome.added == 450 && outcome.faults.isEmpty)
        #expect(daemon.batches.map(\.count) == [200, 200, 50])
        #expect(daemon.batches.joined().map(\.number) == Array(2...451))
        #expect(reports == ["200 of 450 lines are done.", "400 of 450 lines are done."])
    }

    @Test func `lines that the daemon had no time for are sent again`() async throws {
        let daemon = ScriptedDaemon { lines in .init(done: min(7, lines.count), added: min(7, lines.count)) }
        let (outcome, _) = try await daemon.take(lines(20))
        #expect(outcome.added == 20)
        #expect(daemon.batches.map { $0.first?.number } == [2, 9, 16])
    }

    @Test func `refused lines are reported at once, and the others are added`() async throws {
        let daemon = ScriptedDaemon { lines in
            let odd = lines.map(\.number).filter { $0 % 100 == 0 }
            return .init(done: lines.count, added: lines.count - odd.count, faults: odd.map { "Line \($0): no." })
        }
        let (outcome, reports) = try await daemon.take(lines(300))
        #expect(outcome.added == 297 && outcome.faults == ["Line 100: no.", "Line 200: no.", "Line 300: no."])
        #expect(reports.first == "Line 100: no.")
    }

    @Test func `a failure says at which line it stopped and how to continue`() async throws {
        let daemon = ScriptedDaemon { lines in
            if (lines.first?.number ?? 0) > 2 { throw ExitError.unavailable("The power is out.") }
            return .init(done: 5, added: 4, faults: ["Line 3: no."])
        }
        let exit = await #expect(throws: ExitError.self) { try await daemon.take(lines(20)) }
        #expect(exit?.code == 69)
        let message = try #require(exit?.message)
        #expect(message.contains("line 7, 4 account(s)") && message.contains("The power is out."))
        #expect(message.contains("--from 7"))
    }

    @Test func `a refusal of a whole batch keeps its exit code`() async throws {
        let daemon = ScriptedDaemon { _ in throw AdminError(code: "store_unavailable", message: "The disk is full.") }
        let exit = await #expect(throws: ExitError.self) { try await daemon.take(lines(3)) }
        #expect(exit?.code == 1 && exit?.message.contains("The disk is full.") == true)
    }

    @Test func `a daemon that takes no line is not asked for ever`() async throws {
        let daemon = ScriptedDaemon { _ in .init() }
        await #expect(throws: ExitError.self) { try await daemon.take(lines(3)) }
        #expect(daemon.batches.count == 1)
    }

    @Test func `an order arrives as the file has it`() async throws {
        let daemon = ScriptedDaemon { lines in .init(done: lines.count, added: lines.count) }
        let text = "email,name,provider,providerAccount,role,department\na@example.com,A,mock,ref,admin,IT\n"
        _ = try await daemon.take(try AccountImport.parse(text))
        let order = AddAccount.Details(
            email: "a@example.com",
            name: "A",
            attributes: ["department=IT", "role=admin"],
            enroll: "mock",
            providerAccount: "ref"
        )
        #expect(daemon.batches == [[ImportAccounts.Line(number: 2, account: order)]])
    }

    private func lines(_ count: Int) throws -> [AccountImport.Line] {
        let rows = (1...count).map { "person\($0)@example.com,Person \($0)" }
        return try AccountImport.parse("email,name\n" + rows.joined(separator: "\n"))
    }
}

/// Answers as it was told to, and keeps what it was asked.
private final class ScriptedDaemon: CommandExecutor {
    typealias Answer = @Sendable ([ImportAccounts.Line]) throws -> ImportAccounts.Outcome

    private let answer: Answer
    private let asked = Mutex<[[ImportAccounts.Line]]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    var batches: [[ImportAccounts.Line]] { asked.withLock { $0 } }

    func take(_ lines: [AccountImport.Line]) async throws -> (AccountImporter.Outcome, reports: [String]) {
        let reports = Mutex<[String]>([])
        let importer = AccountImporter(executor: self) { line in reports.withLock { $0.append(line) } }
        return (try await importer.run(lines), reports.withLock { $0 })
    }

    func execute<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        guard let command = command as? ImportAccounts, let reply = try outcome(of: command) as? Command.Reply else {
            throw ExitError.refused("something else was asked")
        }
        return reply
    }

    private func outcome(of command: ImportAccounts) throws -> ImportAccounts.Outcome {
        asked.withLock { $0.append(command.lines) }
        return try answer(command.lines)
    }
}
