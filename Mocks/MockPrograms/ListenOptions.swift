import ArgumentParser
package import MockServing
import NIOCore

/// The default options of a mock with an authorization server.
package protocol MockDefaults {
    static var port: Int { get }
    static var clientID: String { get }
    static var clientSecret: String { get }
    /// The help of `--client-secret`.
    static var aboutSecret: String { get }
}

/// Where a mock that lets anybody in listens: on this machine alone.
package struct ListenOptions<Defaults: MockDefaults>: ParsableArguments {
    @Option(help: "The address to listen on, only of this machine.")
    var host = "127.0.0.1"

    @Option(help: "The port. 0 picks a free one.")
    var port: Int = Defaults.port

    package init() {}

    package func validate() throws {
        try PortRange.check(port)
        guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
            throw ValidationError("This test tool accepts anyone, and listens only on 127.0.0.1, ::1 or localhost.")
        }
    }

    /// `program` says that it listens as soon as it does.
    package func listening(as program: String) -> MockListening {
        let console = MockConsole(program)
        let (host, port) = (host, port)
        return MockListening(host: host, port: port, logger: console.logger) { channel in
            console.say("\(program) listening on http://\(host):\(channel.localAddress?.port ?? port)")
        }
    }
}
