import Admin
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

    /// Returns the operator that the kernel names, which is checked although the file mode keeps other users out.
    ///
    /// `readers`: the group whose members may read.
    func peer(readers: UInt32?) async -> Operator? { await PeerCredential.of(channel)?.operator(readers: readers) }
}
