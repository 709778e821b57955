package import Hummingbird
import Kernel
package import NIOCore
import Operations

/// What a request carries along beside itself.
package struct APIContext: RequestContext, RemoteAddressRequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Where the connection comes from; absent in router tests.
    package let remoteAddress: SocketAddress?
    private let channel: any Channel
    /// The id that the answer, its error body and the log have in common.
    package var requestID = ""
    /// The operation that the path names, where it is known before the router has taken the path apart.
    var operationID: UUIDBits?
    /// How the limits answered a poll that was looked at before its handler ran.
    var pollAdmission: PollAdmission?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        channel = source.channel
    }

    /// The id that stands in the path under that name.
    ///
    /// - Throws: `missing` for what is no id of ours.
    func id<ID: EntityID>(_ name: String = "id", else missing: APIError) throws(APIError) -> ID {
        guard let id = parameters.get(name).flatMap({ ID(parsing: $0) }) else { throw missing }
        return id
    }

    /// Tells when the client goes away; `nil` where the connection has no ``PresenceHandler``.
    func presence() async -> ClientPresence? {
        try? await channel.pipeline.handler(type: PresenceHandler.self).map(\.presence).get()
    }
}
