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

/// Looks up the addresses of a host name with the system's resolver.
package enum HostLookup {
    /// Returns the addresses, an empty list for an unknown name, or `nil` if there is no answer in time.
    ///
    /// The system's call blocks and can't be cancelled. It runs on a thread of its own, which may outlast this call.
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
                // The resolver returns an entry for each kind of socket.
                if !found.contains(name) { found.append(name) }
            }
            next = entry.pointee.ai_next
        }
        return found
    }
}
