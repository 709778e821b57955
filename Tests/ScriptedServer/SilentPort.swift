import Glibc

/// A port of 127.0.0.1 where nobody listens, held so that nobody else begins to: connections to it are refused.
///
/// A port that was merely let go of may be another test's the next moment.
package enum SilentPort {
    private struct BindError: Error {}

    /// Holds one for the length of `body`, which gets its address: scheme, host and port.
    package static func hold<Value: Sendable>(during body: (String) async throws -> Value) async throws -> Value {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BindError() }
        defer { close(descriptor) }
        return try await body("http://127.0.0.1:\(try bound(descriptor))")
    }

    /// The port that the system chose.
    private static func bound(_ descriptor: CInt) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw BindError() }
        return UInt16(bigEndian: address.sin_port)
    }
}
