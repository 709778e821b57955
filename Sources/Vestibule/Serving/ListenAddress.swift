import Glibc

/// An address that the daemon listens on, and the error message if it can't.
struct ListenAddress: Equatable {
    /// The section of the config with the address.
    let section: String
    let host: String
    let port: Int

    /// Checks before the start whether the address is available, so that the error is a single sentence.
    ///
    /// Another program may still bind the address in between. Then the listening code throws ``exit(for:)``.
    /// - Throws: ``ExitError``.
    func probe() throws {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
            throw ExitError.unavailable(
                "\(section).host: the host \(host) has no known address. Set it to an address of this machine, like 127.0.0.1."
            )
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(first.pointee.ai_family, first.pointee.ai_socktype, first.pointee.ai_protocol)
        guard descriptor >= 0 else { throw exit(for: errno) }
        defer { close(descriptor) }
        // Same option as the server's: another listener prevents binding, connections in TIME_WAIT do not (socket(7)).
        var isReused: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<CInt>.size))
        guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 else { throw exit(for: errno) }
    }

    /// `code`: the system's error number.
    func exit(for code: CInt) -> ExitError {
        switch code {
        case EADDRINUSE:
            ExitError.unavailable(
                "\(host):\(port) is in use by another program. Stop that program (`ss -ltnp` shows it), or choose another "
                    + "port: --set \(section).port=\(port < 65_535 ? port + 1 : port - 1)"
            )
        case EACCES, EPERM:
            ExitError.unavailable(
                "This user may not listen on \(host):\(port). Choose a port from 1024 on: \(section).port."
            )
        case EADDRNOTAVAIL:
            ExitError.unavailable("\(host) is not an address of this machine. Set \(section).host to one that is.")
        default:
            ExitError.unavailable("The daemon cannot listen on \(host):\(port): \(String(cString: strerror(code))).")
        }
    }
}
