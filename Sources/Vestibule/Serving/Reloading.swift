import Assembly
import Logging
import ServiceLifecycle
import Tokens
import UnixSignals

/// Reads the TLS files, the key ring and the trust anchors of attestations again on SIGHUP.
struct Reloading: Service {
    let certificates: TLSCertificates?
    let keys: KeyRing
    let trust: PasskeyTrust
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown { await reloadOnSignal() }
    }

    private func reloadOnSignal() async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) {
            do {
                try certificates?.reload()
                try await keys.apart { try $0.reload() }
                try await trust.load()
                logger.notice("certificate, keys and trust of passkeys were reloaded")
            } catch {
                let cause = ExitError(error)?.message ?? "\(error)"
                logger.error(
                    "the reload of certificate, keys and passkey trust stopped at an error: correct the cause, then reload again",
                    metadata: ["cause": "\(cause)"]
                )
            }
        }
    }
}
