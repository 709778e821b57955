package import Kernel
internal import Logging

extension BankService {
    /// Between two tries to write tokens that a store has not taken.
    private static let pause: Duration = .seconds(1)

    /// Lets what is under way with banks come to its end before the process stops; from now on no sync begins.
    ///
    /// A refresh token that a bank is asked with is used up there: what it gives for it is the only way in (RFC 6749 §6,
    /// RFC 9700 §4.14.2). What is not there, or not in the store, by `deadline` is given up with a line in the log.
    package func finish(by deadline: Uptime) async {
        for key in await syncs.close(until: deadline, on: environment.clock) {
            logger.warning(
                "a bank's answer is not waited for any longer: its customer may have to sign in there again",
                metadata: ["bank": "\(key.bankID)"]
            )
        }
        var failed = await writeHeld()
        while !failed.isEmpty, environment.clock.now + Self.pause <= deadline {
            do { try await environment.clock.sleep(until: environment.clock.now + Self.pause) } catch { break }
            failed = await writeHeld()
        }
        for (key, cause) in failed {
            logger.error(
                "a bank's new tokens could not be written: its customer has to sign in there again",
                metadata: ["bank": "\(key.bankID)", "cause": "\(cause)"]
            )
        }
    }

    /// Writes what earlier syncs got and could not write; returns what failed, and why.
    private func writeHeld() async -> [(BankSyncs.Key, any Error)] {
        var failed: [(BankSyncs.Key, any Error)] = []
        for key in unwritten.links {
            do { try await writeHeld(key) } catch { failed.append((key, error)) }
        }
        return failed
    }

    /// A link that has changed meanwhile has no use for them.
    private func writeHeld(_ key: BankSyncs.Key) async throws {
        if let link = try await wallet.link(key.bankID, of: key.account), let tokens = unwritten.tokens(for: link) {
            _ = try await write(link.renewed(tokens), over: link)
        }
        unwritten.forget(key.bankID, of: key.account)
    }
}
