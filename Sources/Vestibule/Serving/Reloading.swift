import Assembly
import Logging
import ServiceLifecycle
import Tokens
import UnixSignals

/// Reads the TLS files, the key ring, the trust anchors of attestations, and the texts and logos again on SIGHUP.
struct Reloading: Service {
    let certificates: TLSCertificates?
    let keys: KeyRing
    let trust: PasskeyTrust
    /// Reads the operator's texts and logos.
    let presentation: @Sendable () throws -> Void
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
            reloadPresentation()
        }
    }

    /// Keeps the earlier texts and logos if one of the files has a fault.
    private func reloadPresentation() {
        do {
            try presentation()
            logger.notice("texts and logos were reloaded")
        } catch {
            logger.error(
                "texts and logos were not reloaded: correct the files, then reload again",
                metadata: ["cause": "\(error)"]
            )
        }
    }
}
