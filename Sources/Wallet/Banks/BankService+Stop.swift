package import Kernel
internal import Logging

extension BankService {
    /// The time between two attempts to write tokens that could not be stored.
    private static let pause: Duration = .seconds(1)

    /// Lets running syncs finish before the process stops; no new sync begins.
    ///
    /// A refresh token is used up by its exchange, after which only the new one works (RFC 6749 §6, RFC 9700 §4.14.2).
    /// New tokens that are not received and stored by `deadline` are lost, and logged.
    package func finish(by deadline: Uptime) async {
        for key in await syncs.close(until: deadline, on: environment.clock) {
            logger.warning(
                "a bank's answer is not waited for any longer, because the daemon stops: its customer may have to sign in there again",
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

    /// Writes the tokens that earlier syncs could not write; returns the failures.
    private func writeHeld() async -> [(BankSyncs.Key, any Error)] {
        var failed: [(BankSyncs.Key, any Error)] = []
        for key in unwritten.links {
            do { try await writeHeld(key) } catch { failed.append((key, error)) }
        }
        return failed
    }

    /// Writes the tokens of one link, unless it has other ones by now.
    ///
    /// Another daemon's sync of the cards may change the link in between.
    private func writeHeld(_ key: BankSyncs.Key) async throws {
        if let link = try await records.wallet.link(key.bankID, of: key.account),
            let tokens = unwritten.tokens(for: link)
        {
            guard try await write(link.renewed(tokens), over: link) else {
                throw StoreError.unavailable(cause: "another daemon changed the link")
            }
        }
        unwritten.forget(key.bankID, of: key.account)
    }
}
