import Dispatch
import Foundation
import Glibc

/// A connection that is kept alive, with one request at a time.
///
/// Neither a pool nor an event loop between the two sockets adds to the time.
final class BlockingConnection {
    private let socket: Int32
    private let host: String
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

    /// `address`: `http://` and an IPv4 address with a port.
    init(to address: String) throws {
        guard let url = URL(string: address), url.scheme == "http", let host = url.host, let port = url.port,
            let number = UInt16(exactly: port)
        else { throw SeedError(text: "\(address) is not http://ADDRESS:PORT") }
        self.host = "\(host):\(port)"
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var peer = sockaddr_in()
        peer.sin_family = sa_family_t(AF_INET)
        peer.sin_port = number.bigEndian
        guard inet_pton(AF_INET, host, &peer.sin_addr) == 1 else {
            throw SeedError(text: "\(host) is not an IPv4 address")
        }
        let isOpen = withUnsafePointer(to: &peer) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isOpen else { throw SeedError(text: "\(address) does not answer") }
        var isOn: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(socket) }

    /// The bytes of a POST of JSON.
    func post(_ path: String, _ json: Data) -> [UInt8] {
        let head = "POST \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\n"
        return Array("\(head)Content-Length: \(json.count)\r\n\r\n".utf8) + json
    }

    /// Nanoseconds from the first byte sent to the last byte received; anything but 200 is a fault.
    func time(_ request: [UInt8]) throws -> UInt64 {
        let start = DispatchTime.now().uptimeNanoseconds
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw SeedError(text: "the connection broke")
        }
        var received = 0
        while true {
            let count = recv(socket, &buffer[received], buffer.count - received, 0)
            guard count > 0 else { throw SeedError(text: "the connection broke") }
            received += count
            if try isWhole(received) { return DispatchTime.now().uptimeNanoseconds - start }
        }
    }

    /// Whether the head and as much of a body as it announces are there.
    private func isWhole(_ received: Int) throws -> Bool {
        let text = String(decoding: buffer[..<received], as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        guard text.hasPrefix("HTTP/1.1 200 ") else { throw SeedError(text: "a start was answered: \(text)") }
        let lines = text[..<end.lowerBound].lowercased().split(separator: "\r\n")
        guard let length = lines.first(where: { $0.hasPrefix("content-length:") }),
            let count = Int(length.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces))
        else { throw SeedError(text: "an answer has no length") }
        return text[end.upperBound...].utf8.count >= count
    }
}
