import Synchronization
import Wire

/// Clients that sign in without a pause, against a daemon that may be gone at any moment.
final class Load: Sendable {
    private let app: App
    private let email: String
    private let ledger: Ledger
    private let isOver = Mutex(false)
    private let count = Mutex(0)

    init(_ app: App, email: String, ledger: Ledger) {
        self.app = app
        self.email = email
        self.ledger = ledger
    }

    /// Lets every worker finish its step.
    func stop() { isOver.withLock { $0 = true } }

    /// Runs that many workers until ``stop()``.
    func run(workers: Int) async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<workers { group.addTask { await self.work() } }
        }
    }

    private func work() async {
        while !isOver.withLock({ $0 }) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            // A start whose answer never came was promised to nobody.
            guard let login = try? await app.initiate(email, withVerifier: number.isMultiple(of: 2)) else {
                await pause()
                continue
            }
            ledger.begin(login)
            // Some are left where they are, for the restarts to find.
            if number % 5 == 0 { continue }
            _ = try? await app.open(login)
            if number % 5 == 1 { continue }
            await collect(login)
            if number % 5 == 2 { continue }
            if let reply = try? await app.acknowledge(login), reply.status == 200,
                let receipt = try? reply.json(OperationReceipt.self), receipt.status == .completed
            {
                ledger.acknowledge(login)
            }
        }
    }

    private func collect(_ login: App.Login) async {
        for _ in 0..<40 where !isOver.withLock({ $0 }) {
            if let reply = try? await app.ask(login), ledger.note(reply, about: login) { return }
            await pause()
        }
    }

    private func pause() async { try? await Task.sleep(for: .milliseconds(25)) }
}

/// Repeatable randomness (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
