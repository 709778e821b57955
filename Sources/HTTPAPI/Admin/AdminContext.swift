package import Hummingbird
import NIOCore

/// A request on the admin socket, with its connection.
package struct AdminContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Returns whether the kernel names a trusted peer, which is checked although the file mode keeps other users out.
    func isPeerTrusted() async -> Bool { await PeerCredential.isTrusted(channel) }
}
