import Synchronization

/// The one address at which a console is reached, known once it listens.
package final class ConsoleOrigin: Sendable {
    /// The host: a name could be made to lead here by somebody's DNS, an address could not.
    package static let host = "127.0.0.1"

    private let port = Atomic<Int>(0)

    package init() {}

    package func listen(on port: Int) { self.port.store(port, ordering: .releasing) }

    /// The value of `Host`.
    package var authority: String { "\(Self.host):\(port.load(ordering: .acquiring))" }

    /// The value of `Origin`.
    package var text: String { "http://\(authority)" }
}
