import FaceProviders
import Kernel
import MemoryStore
import Operations

/// A guard over a provider that the test answers for, in virtual time.
struct Guarded {
    let time = VirtualTime()
    let provider: HandedProvider
    let guarded: GuardedFaceProvider
    let log = LogRecorder()
    /// The daemons that share the provider's slots.
    let peers = CountedPeers(1)

    init(_ policy: GuardPolicy = Self.policy(), checkConcurrency: Int = 2, returnsToUs: Bool = false) {
        provider = HandedProvider(checkConcurrency: checkConcurrency, returnsToUs: returnsToUs)
        guarded = GuardedFaceProvider(
            provider,
            policy,
            environment: time.environment,
            logger: log.logger,
            daemons: { [peers] in peers.count }
        )
    }

    static func policy(retries: Int = 0, queued: Int = 2, failures: Int = 3) -> GuardPolicy {
        GuardPolicy(
            callTimeout: .seconds(20),
            retries: retries,
            concurrentStarts: 2,
            queued: queued,
            circuit: .init(failures: failures, pause: .seconds(5))
        )
    }

    func check() async -> Result<ScanStatus, ProviderError> {
        do throws(ProviderError) {
            return .success(try await guarded.check(ProviderReference("scan-1")))
        } catch {
            return .failure(error)
        }
    }

    /// Returns a check that has to be over by then.
    func check(within time: Duration) async -> Result<ScanStatus, ProviderError> {
        let turn = CheckTurn(.long, end: self.time.environment.clock.now + time)
        do throws(ProviderError) {
            return .success(try await guarded.check(ProviderReference("scan-1"), as: turn))
        } catch {
            return .failure(error)
        }
    }

    func begin() async -> Result<StartedScan, ProviderError> {
        do throws(ProviderError) {
            return .success(try await guarded.begin(ScanRequest(enrolment: "x", timeLeft: .seconds(100))))
        } catch {
            return .failure(error)
        }
    }

    func cancel() async -> ProviderError? {
        do throws(ProviderError) {
            try await guarded.cancel(ProviderReference("scan-1"))
            return nil
        } catch {
            return error
        }
    }

    func open() async {
        provider.answer(with: .failure(.unavailable(cause: "down")))
        while guarded.circuit == .closed, !Task.isCancelled { _ = await check() }
    }
}

/// Waits until a condition holds.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
