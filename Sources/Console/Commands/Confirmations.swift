import Kernel
import Synchronization

/// The commands that a person was shown and may confirm, each once.
///
/// What is confirmed is what was shown: the words are kept here, and the page only names them by a random number.
final class Confirmations: Sendable {
    /// The most that wait; the oldest go first.
    private static let capacity = 32

    struct Waiting: Sendable {
        let command: ConsoleCommand
        let words: CommandWords
    }

    private let environment: Environment
    private let waiting = Mutex<[(key: String, value: Waiting)]>([])

    init(_ environment: Environment) { self.environment = environment }

    /// Keeps a command, and returns its key.
    func add(_ command: ConsoleCommand, _ words: CommandWords) -> String {
        let key = Base64URL.encode(environment.randomBytes(16))
        waiting.withLock { waiting in
            waiting.append((key, Waiting(command: command, words: words)))
            waiting.removeFirst(max(0, waiting.count - Self.capacity))
        }
        return key
    }

    /// Returns the command of a key and forgets it, so that loading a page again repeats nothing.
    func take(_ key: String) -> Waiting? {
        waiting.withLock { waiting in
            waiting.firstIndex { $0.key == key }.map { waiting.remove(at: $0).value }
        }
    }
}
