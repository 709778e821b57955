import HTTPTypes
package import Hummingbird
import Kernel
package import NIOCore
import Operations
import Web

/// The values that accompany a request.
package struct APIContext: RequestContext, RemoteAddressRequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The peer of the connection; absent in router tests.
    package let remoteAddress: SocketAddress?
    private let channel: any Channel
    /// The id that the answer, its error body and the log share.
    package var requestID = ""
    /// The operation id in the path, for requests that are handled before the router has parsed the path.
    var operationID: UUIDBits?
    /// The languages and brands of the daemon; `nil` before the edge, which sets it.
    var localization: Localization?
    /// Finds the address of the request's client; `nil` before the edge, which sets it.
    var addresses: ClientAddresses?
    /// The limits' decision on a poll that was intercepted before its handler ran.
    var pollAdmission: PollAdmission?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        channel = source.channel
    }

    /// Returns the id that the path has in the parameter `name`.
    ///
    /// - Throws: `missing` for a malformed id.
    func id<ID: EntityID>(_ name: String = "id", else missing: APIError) throws(APIError) -> ID {
        guard let id = parameters.get(name).flatMap({ ID(parsing: $0) }) else { throw missing }
        return id
    }

    /// Chooses the language of the answer.
    var language: AcceptedLanguage { AcceptedLanguage(languages: localization?.current ?? .builtIn) }

    /// The languages whose files a page may still load, the current ones first.
    var recentLanguages: [Languages] { localization?.recent ?? [.builtIn] }

    /// Returns what mails tell of the person behind the request, in the language of the page or of the request.
    func requester(of request: Request, in texts: LocalizedStrings? = nil) -> Requester {
        Requester(
            language: (texts ?? language.texts(for: request)).language,
            address: addresses?.client(of: request, self)?.description ?? "",
            agent: AgentFamily.describe(request.headers[.userAgent])
        )
    }

    /// Returns whether the client is still connected; `nil` for a connection without ``PresenceHandler``.
    func presence() async -> ClientPresence? {
        try? await channel.pipeline.handler(type: PresenceHandler.self).map(\.presence).get()
    }
}
