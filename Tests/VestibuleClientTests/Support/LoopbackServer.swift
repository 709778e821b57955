import Foundation

/// A bare HTTP server on a free loopback port, for what only a real connection shows.
///
/// One connection at a time, one answer per connection.
final class LoopbackServer: @unchecked Sendable {
    /// The answer, written piece by piece, with that pause before each.
    struct Answer: Sendable {
        let pieces: [String]
        var pause: Duration = .zero

        init(_ head: [String], body: String = "", length: Int? = nil) {
            let lines = head + ["Content-Length: \(length ?? body.utf8.count)", "Connection: close"]
            pieces = [lines.joined(separator: "\r\n") + "\r\n\r\n" + body]
        }

        init(pieces: [String], pause: Duration) {
            self.pieces = pieces
            self.pause = pause
        }
    }

    struct ListenError: Error {}

    let port: UInt16
    let requests = Recorder<String>()
    private let listener: Int32
    private let answer: @Sendable (String) -> Answer

    init(_ answer: @escaping @Sendable (String) -> Answer) throws {
        self.answer = answer
        #if canImport(Darwin)
        listener = socket(AF_INET, SOCK_STREAM, 0)
        #else
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard bound else { throw ListenError() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in serve() }
    }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw ListenError() }
        return url
    }

    /// Ends the thread, too.
    ///
    /// The thread closes the socket. Otherwise its number would be another test's when the thread accepts again, and
    /// that test's connections would end here.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    private func serve() {
        defer { close(listener) }
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            // A program that another test starts would keep it open.
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            let request = readHead(connection)
            requests.append(request)
            let answer = answer(request)
            for piece in answer.pieces {
                if answer.pause > .zero { usleep(UInt32(answer.pause.seconds * 1_000_000)) }
                let bytes = Array(piece.utf8)
                // No signal when the client has gone.
                guard send(connection, bytes, bytes.count, Self.noSignal) == bytes.count else { break }
            }
            close(connection)
        }
    }

    /// Up to the blank line and the body that its length announces.
    private func readHead(_ connection: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = text.range(of: "\r\n\r\n") {
                let length =
                    text.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                if text[end.upperBound...].utf8.count >= length { return text }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
