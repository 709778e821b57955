import Foundation
import Glibc
import Synchronization

/// The network between a program and a server on this machine, which a test can interrupt.
///
/// While it is stalled nothing arrives on either side, as when a cable is cut: no connection ends, and new ones hear
/// nothing.
final class Forwarder: Sendable {
    /// Where it listens, on 127.0.0.1.
    let port: Int
    private let listener: CInt
    private let target: Int
    private let state = Mutex(State())

    private struct State {
        var isStalled = false
        var isClosed = false
    }

    /// Forwards each connection to that port on 127.0.0.1.
    init(to target: Int) throws {
        self.target = target
        let listener = try Self.newSocket()
        self.listener = listener
        var address = Self.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 100) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else { throw ExpectationError("listen: \(String(cString: strerror(errno)))") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { self.takeConnections() }
    }

    func stall() { state.withLock { $0.isStalled = true } }

    func resume() { state.withLock { $0.isStalled = false } }

    /// Takes no more connections; those that are up go on.
    func close() {
        state.withLock { $0 = State(isStalled: false, isClosed: true) }
        shutdown(listener, CInt(SHUT_RDWR))
    }

    private func waitWhileStalled() {
        while state.withLock(\.isStalled) { usleep(10_000) }
    }

    private func takeConnections() {
        while !state.withLock(\.isClosed) {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { continue }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            waitWhileStalled()
            guard let server = connected() else {
                Glibc.close(client)
                continue
            }
            let pair = Pair(client, server)
            Thread.detachNewThread { self.pump(from: client, to: server, pair) }
            Thread.detachNewThread { self.pump(from: server, to: client, pair) }
        }
        Glibc.close(listener)
    }

    private func connected() -> CInt? {
        guard let server = try? Self.newSocket() else { return nil }
        var address = Self.loopback(target)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Glibc.close(server)
            return nil
        }
        return server
    }

    /// Carries bytes one way until either end is gone.
    private func pump(from source: CInt, to sink: CInt, _ pair: Pair) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &bytes, bytes.count, 0)
            waitWhileStalled()
            guard count > 0 else { break }
            var sent = 0
            while sent < count {
                let more = bytes[sent..<count].withUnsafeBytes {
                    send(sink, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard more > 0 else { break }
                sent += more
            }
            guard sent == count else { break }
        }
        pair.end()
    }

    /// Both sockets of a connection, closed when neither way is used any more.
    private final class Pair: Sendable {
        private let sockets: [CInt]
        private let ended = Mutex(0)

        init(_ client: CInt, _ server: CInt) { sockets = [client, server] }

        func end() {
            for socket in sockets { shutdown(socket, CInt(SHUT_RDWR)) }
            let count = ended.withLock { ended in
                ended += 1
                return ended
            }
            if count == sockets.count { for socket in sockets { Glibc.close(socket) } }
        }
    }

    /// No program that another test starts at this moment gets a copy, which would keep the connection up.
    private static func newSocket() throws -> CInt {
        let made = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw ExpectationError("socket: \(String(cString: strerror(errno)))") }
        return made
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
