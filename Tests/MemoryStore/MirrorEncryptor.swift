package import Kernel
import Synchronization

/// Turns bits around, and writes before them what they are and the name of the key.
package final class MirrorEncryptor: Encryptor {
    private let key = Mutex(1)

    package init() {}

    package var currentKey: String { "mirror-\(key.withLock { $0 })" }

    /// From now on nothing decrypts that was encrypted before.
    package func changeKey() { key.withLock { $0 += 1 } }

    package func encrypt(_ bytes: [UInt8], as context: EncryptionContext) -> [UInt8] {
        prefix(context) + bytes.map { ~$0 }
    }

    package func decrypt(_ bytes: [UInt8], key: String, as context: EncryptionContext) -> [UInt8]? {
        let prefix = prefix(context)
        guard key == currentKey, bytes.starts(with: prefix) else { return nil }
        return bytes.dropFirst(prefix.count).map { ~$0 }
    }

    private func prefix(_ context: EncryptionContext) -> [UInt8] { Array("\(currentKey)|\(context.text)|".utf8) }
}
