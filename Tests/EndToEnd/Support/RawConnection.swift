import Foundation
import Glibc

/// A TCP connection to a port of this machine, without a client library: it can go away in the middle of an answer.
struct RawConnection: ~Copyable {
    private let descriptor: CInt

    /// Connects; reading gives up after a minute.
    init(port: Int) throws {
        // No program that another test starts at this moment gets a copy, which would keep the connection up.
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ExpectationError("socket: \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let cause = String(cString: strerror(errno))
            close(descriptor)
            throw ExpectationError("no connection to port \(port): \(cause)")
        }
    }

    deinit { close(descriptor) }

    /// Sends a request without a body.
    func send(_ method: String, _ target: String, _ headers: [String: String]) throws {
        let fields = headers.map { "\($0): \($1)\r\n" }.joined()
        let text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\(fields)\r\n"
        try write(text)
    }

    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        let sent = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        guard sent == bytes.count else { throw ExpectationError("send: \(sent) of \(bytes.count) bytes") }
    }

    /// Whether there is something to read, or an end, within that time.
    func hasSomething(within seconds: Int) throws -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&wanted, 1, CInt(seconds * 1000))
        guard count >= 0 else { throw ExpectationError("poll: \(String(cString: strerror(errno)))") }
        return count > 0
    }

    /// Reads at most so many bytes; empty at the end of the stream.
    func read(atMost count: Int) throws -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = recv(descriptor, &bytes, count, 0)
        guard read >= 0 else { throw ExpectationError("recv: \(String(cString: strerror(errno)))") }
        return String(decoding: bytes.prefix(read), as: UTF8.self)
    }

    /// Reads to the end of the header section, at most 64 KiB.
    func readHead() throws -> String {
        var text = ""
        while !text.contains("\r\n\r\n"), text.utf8.count < 65_536 {
            let more = try read(atMost: 4096)
            guard !more.isEmpty else { break }
            text += more
        }
        return text
    }
}

/// A browser that follows the link of a login to the provider's page and presses a button there.
///
/// Blocks its thread while it waits for answers.
enum Browser {
    /// Asks for the landing page, presses its button, shows the scan page and decides there.
    static func visit(_ page: URL, deciding outcome: String) throws {
        guard let port = page.port else { throw ExpectationError("\(page) names no port") }
        let origin = "http://localhost:\(port)"
        _ = try head("GET", page.path(), port: port, status: 200)
        let sent = try head(
            "POST",
            page.path(),
            port: port,
            headers: ["Origin": origin, "Sec-Fetch-Site": "same-origin"],
            status: 303
        )
        guard let location = field("Location", of: sent), let scan = URL(string: location), let scanPort = scan.port,
            let query = scan.query()
        else { throw ExpectationError("no way to the scan: \(sent)") }
        _ = try head("GET", "/?\(query)", port: scanPort, status: 200)
        let form = "\(query)&outcome=\(outcome)"
        let connection = try RawConnection(port: scanPort)
        try connection.write(
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(form.utf8.count)\r\n\r\n\(form)"
        )
        let decided = try connection.readHead()
        guard decided.hasPrefix("HTTP/1.1 303") else { throw ExpectationError("the button did nothing: \(decided)") }
    }

    /// A field of a header section.
    static func field(_ name: String, of head: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    private static func head(
        _ method: String,
        _ target: String,
        port: Int,
        headers: [String: String] = [:],
        status: Int
    ) throws -> String {
        let connection = try RawConnection(port: port)
        try connection.send(method, target, headers)
        let head = try connection.readHead()
        guard head.hasPrefix("HTTP/1.1 \(status)") else { throw ExpectationError("\(method) \(target): \(head)") }
        return head
    }
}
