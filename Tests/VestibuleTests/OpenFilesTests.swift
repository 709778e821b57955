import FaceProviders
import Kernel
import Settings
import SettingsFixture
import Storage
import Testing

@testable import Assembly
@testable import Vestibule

/// The connections that a limit of open files allows, beside what the config needs.
struct OpenFilesTests {
    private func laptop() throws -> Settings { try SettingsFixture.minimal().load().settings }

    // T-234
    @Test func `the config's needs are added up, each part by its name`() throws {
        var settings = try laptop()
        let plain = FileBudget(settings, cores: 2)
        #expect(plain.total == plain.shares.reduce(0) { $0 + $1.files })
        #expect(plain.shares.contains { $0.name == "provider mock" })
        settings.metrics.enabled = true
        #expect(FileBudget(settings, cores: 2).total == plain.total + FileBudget.sideConnections)
        #expect(FileBudget(settings, cores: 4).total == plain.total + FileBudget.sideConnections + 6)
        settings.storage.postgres = PostgresOptions(
            url: Secret("postgres:///vestibule?host=/run/postgresql"),
            poolSize: 7
        )
        #expect(FileBudget(settings, cores: 2).total == plain.total + FileBudget.sideConnections + 15)
        settings.storage.postgres = nil
        for name in settings.providers.keys { settings.providers[name]?.calls.checkConcurrency += 100 }
        #expect(FileBudget(settings, cores: 2).total == plain.total + FileBudget.sideConnections + 100)
    }

    // T-234
    @Test func `the remaining files are for connections, and too few of them prevent the start`() throws {
        var settings = try laptop()
        let need = FileBudget(settings, cores: 2).total
        let admit = { (limit: Int) throws(ExitError) -> Int in
            try OpenFiles.admit(settings, limit: limit, cores: 2).connections
        }
        #expect(try admit(need + 20_000) == 20_000)
        #expect(try admit(.max) == 20_000)
        #expect(try admit(need + 19_999) == 19_999)
        #expect(try admit(need + FileBudget.fewest) == FileBudget.fewest)
        let fault = #expect(throws: ExitError.self) { try admit(need + FileBudget.fewest - 1) }
        #expect(fault?.code == 78)
        let message = try #require(fault?.message)
        #expect(message.contains("limit of open files is \(need + FileBudget.fewest - 1)"), "\(message)")
        #expect(message.contains("provider mock") && message.contains("LimitNOFILE="), "\(message)")
        settings.listen.connections.most = 3
        #expect(try OpenFiles.admit(settings, limit: need + 3, cores: 2).connections == 3)
    }

    @Test func `a process tells of its files, its memory, its time and its start`() throws {
        #expect(try #require(ProcessReadings.openFiles) >= 3)
        #expect(ProcessReadings.fileLimit >= 3)
        let memory = try #require(ProcessReadings.memory)
        #expect(memory.resident > 1 << 20 && memory.virtual >= memory.resident)
        #expect(try #require(ProcessReadings.cpuSeconds) > 0)
        let start = try #require(ProcessReadings.startTime)
        let now = Double(Environment.system.now().milliseconds) / 1000
        #expect(start > 1_600_000_000 && start < now + 2, "\(start), now \(now)")
    }
}

/// The settings of swift-backtrace, which may write memory (CWE-532).
struct CrashReportsTests {
    @Test(arguments: [
        ("", "registers=none"), ("registers=none", nil), ("enable=no", nil),
        ("color=no,registers=all", "color=no,registers=none"), ("registers=none,registers=all", "registers=none"),
        ("preset=full", "preset=full,registers=none"), ("color=no,registers=none", nil),
    ])
    func `attack: the crash report setting leaves out registers and memory, whatever the variable holds`(
        _ found: String,
        _ wanted: String?
    ) {
        #expect(CrashReports.setting(after: found) == wanted)
    }
}
