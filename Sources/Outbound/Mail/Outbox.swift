import Dispatch
package import Kernel
package import Mail

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes mail into a folder, one `.eml` file for each mail: for a laptop without a mail server.
///
/// Each file is written under a hidden name, synced, and renamed into place. So a listing of the folder shows only
/// whole mails. All files belong to this user alone (0600).
package struct Outbox: MailTransport {
    private let folder: String
    private let environment: Environment
    private let queue = DispatchQueue(label: "vestibule.outbox")

    /// `folder`: an absolute path, which is created (0700) if it is missing.
    package init(folder: String, environment: Environment) {
        self.folder = folder
        self.environment = environment
    }

    package func deliver(_ message: MailMessage) async throws(MailTransportError) {
        // Letters, and groups of at most four digits: no file name looks like a code.
        let name = "\(MailDate.fileName(environment.now()))-\(MailLetters.text(environment.randomBytes(12))).eml"
        let failure = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: keep(message.bytes, as: name)) }
        }
        if let failure { throw failure }
    }

    private func keep(_ bytes: [UInt8], as name: String) -> MailTransportError? {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { return fault("make") }
        let draft = "\(folder)/.\(name).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return fault("write to") }
        let failure = writeAll(bytes, into: descriptor)
        close(descriptor)
        guard failure == nil, rename(draft, "\(folder)/\(name)") == 0 else {
            unlink(draft)
            return failure ?? fault("write to")
        }
        return sync()
    }

    private func writeAll(_ bytes: [UInt8], into descriptor: Int32) -> MailTransportError? {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retrying { write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written) }
            }
            guard count > 0 else { return fault("write to") }
            written += count
        }
        return retrying { fsync(descriptor) } == 0 ? nil : fault("sync")
    }

    /// Makes the rename durable.
    private func sync() -> MailTransportError? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return fault("open") }
        defer { close(descriptor) }
        return retrying { fsync(descriptor) } == 0 ? nil : fault("sync")
    }

    private func fault(_ action: String) -> MailTransportError {
        MailTransportError(.temporary, cause: "cannot \(action) \(folder): \(String(cString: strerror(errno)))")
    }

    /// Repeats a call that a signal interrupted before it had done anything.
    private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            guard result == -1, errno == EINTR else { return result }
        }
    }
}
