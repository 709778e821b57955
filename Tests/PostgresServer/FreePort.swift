import Glibc

/// Ports that nobody listens on.
enum FreePort {
    /// Returns one below those that the kernel gives to connections.
    ///
    /// One of the kernel's might be given to somebody else while the server is being restarted.
    static func number() throws -> Int {
        for _ in 0..<200 {
            let port = UInt16.random(in: 20_000..<32_000)
            if isFree(port) { return Int(port) }
        }
        throw PostgresServer.ServerError("no port between 20000 and 32000 is free on 127.0.0.1")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
