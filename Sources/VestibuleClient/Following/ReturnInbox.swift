import Foundation

/// Holds the return code that the browser gave the app, for the polls of the sign-in in progress.
actor ReturnInbox {
    private(set) var code: String?
    /// The callers that wait for the next code.
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    private var heard = 0

    /// Takes the code from the address; returns `false` for an address that is not `base` with a code.
    ///
    /// A code of another form than the server's is refused, so that no other text gets into a header.
    func accept(_ url: URL, at base: String?) -> Bool {
        guard let base else { return false }
        let joint = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
        let start = base + joint + "code="
        let text = url.absoluteString
        guard text.hasPrefix(start) else { return false }
        let code = text.dropFirst(start.count)
        let isCode = code.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isCode, (1...128).contains(code.utf8.count) else { return false }
        guard self.code != String(code) else { return true }
        self.code = String(code)
        for listener in listeners.values { listener.finish() }
        return true
    }

    /// Returns once the code differs from `known`, or when the task is cancelled.
    func change(from known: String?) async {
        guard code == known else { return }
        let (news, listener) = AsyncStream.makeStream(of: Void.self)
        heard += 1
        let ticket = heard
        listeners[ticket] = listener
        defer { listeners[ticket] = nil }
        for await _ in news {}
    }

    /// Deletes the code of an earlier sign-in.
    func empty() { code = nil }
}
