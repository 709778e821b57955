import Kernel
import NIOCore

extension NetworkAddress {
    /// Reads the address of a connection's peer; `nil` for a socket without an address.
    init?(_ socket: SocketAddress?) {
        guard let text = socket?.ipAddress, let address = NetworkAddress(text) else { return nil }
        self = address
    }
}
