import Synchronization

/// The languages and brands that the daemon shows now: a signal replaces them with those of the files.
package final class Localization: Sendable {
    /// The current languages, and those before the last replacement.
    private let editions: Mutex<[Languages]>

    package init(_ languages: Languages = .builtIn) { editions = Mutex([languages]) }

    package var current: Languages { editions.withLock(\.first) ?? .builtIn }

    /// The current languages, and before the last replacement: pages that were loaded then still load their files.
    package var recent: [Languages] { editions.withLock(\.self) }

    package func replace(with newer: Languages) { editions.withLock { $0 = [newer] + $0.prefix(1) } }
}
