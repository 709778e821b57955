import NIOCore
import Synchronization

/// Pages that look the same for every visitor, each rendered when it is first asked for.
///
/// In a debug build, rendering all of them in every language takes a third of a start, and most of them are never asked
/// for.
final class RenderedPages<Key: Hashable & Sendable>: Sendable {
    private let rendered = Mutex<[Key: ByteBuffer]>([:])

    /// Returns the page, rendered now if this is the first request for it.
    ///
    /// Two first requests at one moment may both render it.
    func body(for key: Key, render: () -> ByteBuffer) -> ByteBuffer {
        if let body = rendered.withLock({ $0[key] }) { return body }
        let body = render()
        rendered.withLock { $0[key] = body }
        return body
    }
}
