internal import Kernel

/// The reason why the keys could not be used or changed.
///
/// With any of these errors, the daemon does not start, or does not rotate keys. The description is a sentence for the
/// operator and contains no key material.
package enum KeyError: Error, Equatable, Sendable {
    /// Other users may read or write the file. `mode` is its permission bits, and `remedy` is the command that corrects
    /// it.
    case tooOpen(path: String, mode: UInt32, remedy: String)
    /// The file belongs to another user, who could change the keys. A key that the wrong user wrote could not be read
    /// by the right one.
    case foreignOwner(path: String, owner: UInt32, expected: UInt32)
    /// The file existed before and is missing. A new file would silently invalidate everything that the missing one
    /// made.
    case missing(path: String)
    /// A ring was moved from the key folder to a database, which has lost it. The ring in the folder is an old one.
    case moved(row: String, ring: String, mark: String)
    /// The content of the file is not what Vestibule wrote.
    case damaged(path: String, Damage)
    /// The file is encrypted with a key that the config does not have.
    case encrypted(path: String)
    /// The operating system refused the action. `cause` is its error text.
    case unavailable(path: String, action: String, cause: String)
    /// The keys are intact, but the requested change was refused.
    case refused(KeyChangeError)

    /// The kind of damage.
    package enum Damage: Equatable, Sendable {
        /// The path is a link, a folder or a device instead of a file.
        case notARegularFile
        case wrongSize(expected: Int, found: Int)
        case tooLarge(limit: Int)
        /// The content is not the JSON of a key ring.
        case notARing
        /// A later version of Vestibule wrote the ring.
        case unknownRingVersion(Int)
        /// The ring does not have exactly one key that signs. The value is their number.
        case activeKeys(Int)
        /// The ring has more than one next key. The value is their number.
        case nextKeys(Int)
        case duplicateKey(String)
        /// The content is not a PKCS#8 private key of the ring's algorithm.
        case notAKey(algorithm: String)
        /// The key in the file does not match its name (RFC 7638).
        case thumbprintMismatch(found: String)
        /// The file is encrypted, but its content cannot be decrypted.
        case undecryptable
        /// The ring was made with another `root.key`.
        case foreignRoot
        /// The row of the ring was changed, or copied from another row.
        case altered
    }
}

extension KeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooOpen(let path, let mode, let remedy):
            "\(path) has mode \(String(mode, radix: 8)), so that others can read or change it. Run: \(remedy)"
        case .foreignOwner(let path, let owner, let expected):
            "\(path) belongs to user \(owner), but this process runs as user \(expected). Run it as the owner."
        case .missing(let path):
            "\(path) is missing, but other keys are there. Restore it from a backup."
        case .moved(let row, let ring, let mark):
            "\(row) is missing, but the database had it before. Restore the database from a backup. To begin with the old "
                + "keys in \(ring) instead, delete \(mark)."
        case .damaged(let path, let damage):
            "\(path) is damaged: \(damage.sentence) Restore it from a backup."
        case .encrypted(let path):
            "\(path) is encrypted with a key that is not in the config. Give secrets.sealingKey, or the key that it had "
                + "before in secrets.earlierSealingKeys."
        case .unavailable(let path, let action, let cause):
            "Could not \(action) \(path): \(cause). Correct that and try again."
        case .refused(let refusal): refusal.sentence
        }
    }
}

extension KeyError.Damage {
    fileprivate var sentence: String {
        switch self {
        case .notARegularFile: "it is not a regular file."
        case .wrongSize(let expected, let found): "it has \(found) bytes where \(expected) are due."
        case .tooLarge(let limit): "it has more than \(limit) bytes."
        case .notARing: "it is not a key ring."
        case .unknownRingVersion(let version): "it was written by a later version (format \(version))."
        case .activeKeys(let count): "it names \(count) active keys where one is due."
        case .nextKeys(let count): "it names \(count) next keys where one is due."
        case .duplicateKey(let kid): "it names the key \(kid) twice."
        case .notAKey(let algorithm): "it holds no \(algorithm) private key."
        case .thumbprintMismatch(let found): "it holds another key, with the thumbprint \(found)."
        case .undecryptable: "no sealing key decrypts it."
        case .foreignRoot: "it was made beside another root.key."
        case .altered: "it was changed, or copied from another row."
        }
    }
}

extension KeyChangeError {
    fileprivate var sentence: String {
        switch self {
        case .unknownKey(let kid): "The key \(kid) is unknown. `vestibule keys list` shows all keys."
        case .activeKey(let kid):
            "The key \(kid) signs now. Run `vestibule keys rotate --now` first, then retire it."
        case .retiredAlready(let kid): "The key \(kid) is already retired."
        case .notAnnounced(let next, let readyAt):
            "The next key \(next) is not published for long enough yet: verifiers that keep a key set may not have it "
                + "before \(readyAt.internetDate). Wait until then, or add --now."
        }
    }
}
