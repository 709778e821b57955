import Kernel
import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The addresses of a host's name, as this machine finds them.
package enum HostLookup {
    /// Returns the addresses, none for a name that is not known; `nil` without an answer in time.
    ///
    /// The system's call blocks and can't be ended: it has a thread of its own, and is left to it.
    package static func addresses(of host: String, within limit: Duration) async -> [String]? {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: [String]?.self)
        let timer = loop.scheduleTask(in: .nanoseconds(limit.wholeNanoseconds)) { promise.succeed(nil) }
        NIOThreadPool.singleton.submit { _ in promise.succeed(blocking(host)) }
        let found = try? await promise.futureResult.get()
        timer.cancel()
        return found ?? nil
    }

    private static func blocking(_ host: String) -> [String] {
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, nil, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: [String] = []
        var next = first
        while let entry = next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let (address, length) = (entry.pointee.ai_addr, entry.pointee.ai_addrlen)
            if getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                // An entry for each kind of socket.
                if !found.contains(name) { found.append(name) }
            }
            next = entry.pointee.ai_next
        }
        return found
    }
}
