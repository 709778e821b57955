import AsyncHTTPClient
import Foundation
import NIOHTTP1

/// One run: everybody connects and waits, then every login is cancelled or approved.
struct WaitingRun {
    private let options: ParkWaiters
    private let logins: [SeededLogin]
    private let ledger: WakeLedger
    private let clock = ContinuousClock()

    init(_ options: ParkWaiters, logins: [SeededLogin]) {
        self.options = options
        self.logins = logins
        ledger = WakeLedger(logins: logins.count)
    }

    /// The measured times.
    /// - Throws: ``SeedError`` when a client was turned away, or was never told.
    func figures() async throws -> WaitingFigures {
        let dropped = try KernelCounters.droppedSYNs()
        let memory = try KernelCounters.residentKiB(of: options.pid)
        let crowd = try Crowd(options, ledger: ledger)
        let took = try await clock.measure { try await crowd.connect(logins) }
        try await until("every client waits") { ledger.waiting == options.count }
        // The effects of the storm settle: the last requests are being parked.
        try await Task.sleep(for: .seconds(2))
        let parked = try KernelCounters.residentKiB(of: options.pid)
        let droppedSince = try KernelCounters.droppedSYNs() - dropped
        try await change()
        try await until("every client was told") { ledger.told == options.count }
        try await crowd.leave()
        return WaitingFigures(
            waiters: options.count,
            storm: took,
            droppedSYNs: droppedSince,
            kibibytes: Double(parked - memory) / Double(options.count),
            wakeUps: ledger.wakeUps
        )
    }

    /// Ends each login, at the rate that was asked for.
    private func change() async throws {
        let daemon = SeedServer(url: options.origin, connections: options.connections)
        let judge = try options.judge(daemon)
        try await daemon.use { client in
            let start = clock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, login) in logins.enumerated() {
                    try await clock.sleep(until: start + .seconds(1) / options.rate * number)
                    group.addTask {
                        ledger.changed(number, at: clock.now)
                        guard let judge else { return try await cancel(login, daemon, client) }
                        try await judge.accept(login, client)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private func cancel(_ login: SeededLogin, _ daemon: SeedServer, _ client: HTTPClient) async throws {
        _ = try await daemon.post(login.cancelPath, nil, headers: login.proof, client)
    }

    private func until(_ what: String, _ condition: () -> Bool) async throws {
        for _ in 0..<600 where !condition() {
            if let fault = ledger.fault { throw SeedError(text: fault) }
            try await Task.sleep(for: .milliseconds(100))
        }
        guard condition() else {
            throw SeedError(text: "it never came about that \(what): \(ledger.waiting) wait, \(ledger.told) were told")
        }
    }
}

/// The report of a run.
struct WaitingFigures {
    let waiters: Int
    let storm: Duration
    let droppedSYNs: Int
    let kibibytes: Double
    /// In ascending order.
    let wakeUps: [Duration]

    var line: String {
        String(
            format: "waiters=%d storm=%.1f dropped=%d kib=%.1f p50=%.1f p99=%.1f max=%.1f",
            waiters,
            storm / .seconds(1),
            droppedSYNs,
            kibibytes,
            percentile(50),
            percentile(99),
            percentile(100)
        )
    }

    /// Milliseconds; nearest rank.
    private func percentile(_ percent: Int) -> Double {
        let rank = max(1, (wakeUps.count * percent + 99) / 100)
        return wakeUps[rank - 1] / .milliseconds(1)
    }
}
