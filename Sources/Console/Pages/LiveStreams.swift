import Hummingbird
import Kernel
import NIOCore
import Synchronization

/// The streams of server-sent events of a console: each sends its page's live part when that changed.
///
/// A stream is no press: it keeps no session alive, and ends with it.
final class LiveStreams: Sendable {
    /// The most streams at a time: a browser opens one for each visible tab.
    static let capacity = 8
    /// The time between two questions to the daemon about one page.
    private static let pause: Duration = .seconds(1)

    /// A page that streams show; they share its questions.
    private struct Page {
        var streams = 0
        var askedAt: Uptime?
        var isAsking = false
        var part: Part?
    }

    private struct Part {
        let text: String
        let digest: Digest256

        init(_ text: String) {
            self.text = text
            digest = Digest256(sha256: Array(text.utf8))
        }
    }

    private let access: ConsoleAccess
    private let clock: any MonotonicClock
    private let pages = Mutex<[[String]: Page]>([:])

    init(_ access: ConsoleAccess, _ environment: Kernel.Environment) {
        self.access = access
        clock = environment.clock
    }

    var isFull: Bool { pages.withLock { Self.isFull($0) } }

    private static func isFull(_ pages: [[String]: Page]) -> Bool {
        pages.values.reduce(0) { $0 + $1.streams } >= capacity
    }

    /// Writes the live part of a page whenever it changed, until the session is over or the browser has left.
    ///
    /// `read`: returns the live part now.
    @concurrent
    func run(
        _ address: PageAddress,
        cookie: String,
        to writer: inout any ResponseBodyWriter,
        read: @Sendable () async -> String?
    ) async throws {
        guard open(address.parts) else { return }
        defer { close(address.parts) }
        var shown: Digest256?
        while access.admits(cookie, isPress: false) {
            let next = clock.now + Self.pause
            let part = await part(address.parts, read)
            if let part, part.digest != shown {
                shown = part.digest
                // As a JSON string it has no line break, whatever a name holds.
                try await writer.write(ByteBuffer(string: "data: \(JSONValue.string(part.text).text)\n\n"))
            } else {
                // A write is how a browser that has left is noticed.
                try await writer.write(ByteBuffer(string: ":\n\n"))
            }
            try await clock.sleep(until: next)
        }
    }

    private func open(_ key: [String]) -> Bool {
        pages.withLock { pages in
            guard !Self.isFull(pages) else { return false }
            pages[key, default: Page()].streams += 1
            return true
        }
    }

    private func close(_ key: [String]) {
        pages.withLock { pages in
            pages[key]?.streams -= 1
            if pages[key]?.streams == 0 { pages[key] = nil }
        }
    }

    /// Returns a page's part, which one of its streams asks for once a second; the others take the last one.
    private func part(_ key: [String], _ read: @Sendable () async -> String?) async -> Part? {
        let now = clock.now
        let (mayAsk, last) = pages.withLock { pages -> (Bool, Part?) in
            guard var page = pages[key] else { return (false, nil) }
            let isFresh = page.askedAt.map { now < $0 + Self.pause } ?? false
            guard !page.isAsking, !isFresh else { return (false, page.part) }
            page.isAsking = true
            page.askedAt = now
            pages[key] = page
            return (true, page.part)
        }
        guard mayAsk else { return last }
        let text = await read()
        // A stream that was cancelled in between got no true answer.
        let part = Task.isCancelled ? last : text.map(Part.init) ?? last
        pages.withLock { pages in
            pages[key]?.isAsking = false
            pages[key]?.part = part
        }
        return part
    }
}

extension PageAddress {
    /// Whether its page changes by itself.
    var isLive: Bool {
        switch (parts.first, parts.count) {
        case (nil, _), ("providers", 1), ("logins", 2): true
        default: false
        }
    }
}
