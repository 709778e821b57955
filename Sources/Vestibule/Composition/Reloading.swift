import Kernel
import Logging
import ServiceLifecycle
import Tokens
import UnixSignals

/// On SIGHUP: reads the TLS pair and the key ring again.
///
/// Once an hour: forgets signing keys that verify nothing more.
struct Reloading: Service {
    let certificates: TLSCertificates?
    let keys: KeyRing
    let facts: Facts
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await reloadOnSignal() }
                group.addTask { await pruneHourly() }
            }
        }
    }

    private func reloadOnSignal() async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) {
            do {
                try certificates?.reload()
                try keys.reload()
                logger.notice("certificate and keys were read again")
            } catch {
                let cause = (error as? Exit)?.message ?? "\(error)"
                logger.error("nothing was reloaded; the old ones stay", metadata: ["cause": "\(cause)"])
            }
        }
    }

    private func pruneHourly() async {
        while !Task.isCancelled {
            do {
                for key in try keys.prune(now: facts.now()) {
                    logger.info("a retired signing key was deleted", metadata: ["kid": "\(key)"])
                }
            } catch {
                logger.warning("retired keys could not be deleted", metadata: ["cause": "\(error)"])
            }
            do { try await facts.clock.sleep(until: facts.clock.now + .seconds(3600)) } catch { return }
        }
    }
}
