import Glibc
import Testing

@testable import Vestibule

/// An address that can't be listened on is refused before anything is started.
struct ListenAddressTests {
    @Test func `a port that another program listens on is taken, and a free one is not`() throws {
        let port = FreePort.pick()
        let address = ListenAddress(section: "metrics", host: "127.0.0.1", port: port)
        try address.probe()
        // Nothing is left of the first look.
        try address.probe()
        let descriptor = try listener(on: port)
        defer { close(descriptor) }
        let exit = try #require(fault(of: address))
        #expect(exit.code == 69)
        #expect(exit.message.contains("127.0.0.1:\(port) is in use by another program"))
        #expect(exit.message.contains("--set metrics.port="))
    }

    @Test func `a host that is none of this machine is named with its key`() throws {
        // RFC 5737 §3: an address of documentation is nobody's.
        let foreign = try #require(fault(of: ListenAddress(section: "listen", host: "192.0.2.1", port: 8080)))
        #expect(foreign.code == 69 && foreign.message.contains("listen.host"))
        let unknown = try #require(fault(of: ListenAddress(section: "listen", host: "nowhere.invalid", port: 8080)))
        #expect(unknown.code == 69 && unknown.message.contains("nowhere.invalid"))
    }

    @Test func `the port that is proposed instead is one`() {
        let last = ListenAddress(section: "listen", host: "127.0.0.1", port: 65_535).exit(for: EADDRINUSE)
        #expect(last.message.contains("listen.port=65534"))
    }

    private func fault(of address: ListenAddress) -> ExitError? {
        do {
            try address.probe()
            return nil
        } catch {
            return error as? ExitError
        }
    }

    private func listener(on port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0 && listen(descriptor, 1) == 0)
        return descriptor
    }
}
