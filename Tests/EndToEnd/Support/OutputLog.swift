import Foundation
import Synchronization

/// The output of a program, standard output and standard error apart.
final class OutputLog: Sendable {
    enum Stream { case output, error }

    private let bytes = Mutex<(output: [UInt8], error: [UInt8])>(([], []))

    func append(_ more: [UInt8], to stream: Stream) {
        bytes.withLock { bytes in
            switch stream {
            case .output: bytes.output += more
            case .error: bytes.error += more
            }
        }
    }

    var output: String { bytes.withLock { String(decoding: $0.output, as: UTF8.self) } }
    var error: String { bytes.withLock { String(decoding: $0.error, as: UTF8.self) } }

    /// The first complete line of standard output that begins so.
    func line(beginning prefix: String) -> String? {
        let text = output
        guard let end = text.lastIndex(of: "\n") else { return nil }
        return text[..<end].split(separator: "\n").first { $0.hasPrefix(prefix) }.map(String.init)
    }

    /// The last lines of both, for a failure's message.
    func tail(_ count: Int = 40) -> String {
        let (output, error) = (Self.last(count, of: output), Self.last(count, of: error))
        return "standard output:\n\(output)\nstandard error:\n\(error)"
    }

    private static func last(_ count: Int, of text: String) -> String {
        text.split(separator: "\n").suffix(count).map { "  \($0)" }.joined(separator: "\n")
    }
}
