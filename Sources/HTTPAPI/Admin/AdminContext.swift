package import Hummingbird
import NIOCore

/// A request on the admin socket, with the connection it came by.
package struct AdminContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The file mode keeps others out; the kernel's word on who connected is asked all the same.
    func isPeerTrusted() async -> Bool { await PeerCredential.isTrusted(channel) }
}
