import Dispatch
import Glibc

/// One connection to this machine, for requests that no client library would send.
package enum RawSocket {
    package struct SocketError: Error { let step: String }

    /// Writes `text` to that port and returns all that comes back until the server closes.
    ///
    /// `isAll`: whether the server learns that nothing more comes; else it may wait for more, and has two
    /// minutes to close.
    package static func exchange(_ port: Int, _ text: String, isAll: Bool = true) async throws -> String {
        try await offPool {
            let descriptor = try open(port)
            defer { close(descriptor) }
            return try exchange(over: descriptor, text, isAll: isAll)
        }
    }

    /// Whether the server ends a connection on which `text` is written until it takes no more, and nothing is read.
    package static func isEndedUnread(_ port: Int, flooding text: String) async throws -> Bool {
        try await offPool {
            let descriptor = try open(port, window: 4096)
            defer { close(descriptor) }
            let bytes = Array(text.utf8)
            var sent = 0
            while true {
                let rest = Array(bytes[(sent % bytes.count)...])
                let count = send(descriptor, rest, rest.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { break }
                sent += count
            }
            // EAGAIN is the half second's; anything else says that there is no connection any more.
            guard errno == EAGAIN else { return true }
            var end = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&end, 1, 120_000) > 0
        }
    }

    private static func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// `window`: bytes that the system keeps unread; such a connection gives up writing after half a second.
    private static func open(_ port: Int, window: Int32? = nil) throws -> Int32 {
        // No program that another test starts at this moment gets a copy, which would keep the connection up.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketError(step: "socket") }
        // A server that says nothing ends the test instead of holding it.
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var window {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
            var pause = timeval(tv_sec: 0, tv_usec: 500_000)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &pause, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(descriptor)
            throw SocketError(step: "connect")
        }
        return descriptor
    }

    private static func exchange(over descriptor: Int32, _ text: String, isAll: Bool) throws -> String {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // A server may refuse before it has read all: then what it said is what counts.
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        // Nothing more comes: a server that waits for the rest of a request learns so.
        if isAll { shutdown(descriptor, Int32(SHUT_WR)) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 || isAll || errno != EAGAIN else { throw SocketError(step: "the end") }
            guard count > 0 else { break }
            answer += buffer.prefix(count)
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
