package import HTTPTypes
package import Kernel

/// Decides which requests a console answers, from their heads alone.
///
/// Every other request gets the same 404, so that another user of the machine, or a page of another server, learns
/// nothing, not even whether a path exists.
package struct RequestGate: Sendable {
    /// The path of what a page asks for by itself, which doesn't keep the session alive.
    static let events = "/events"
    /// The path before the link's secret.
    package static let entrance = "/enter/"

    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")
    private static let purpose = HTTPField.Name("Sec-Purpose")

    package enum Decision: Sendable, Equatable {
        /// The link was used; the value is that of the new cookie.
        case entered(Secret)
        /// The request is of the session; the value is that of its cookie.
        case admitted(cookie: String)
        case refused
    }

    private let access: ConsoleAccess
    private let origin: ConsoleOrigin

    package init(_ access: ConsoleAccess, _ origin: ConsoleOrigin) {
        self.access = access
        self.origin = origin
    }

    package func decide(_ request: HTTPRequest) -> Decision {
        guard request.method == .get || request.method == .post, request.authority == origin.authority,
            let path = request.path
        else { return .refused }
        let isEntrance = request.method == .get && path.hasPrefix(Self.entrance)
        guard isOfOurOwn(request, isEntrance: isEntrance) else { return .refused }
        if isEntrance {
            // A preview of the link in some program must not use it up.
            guard value(Self.purpose, of: request) == nil,
                let cookie = access.enter(String(path.dropFirst(Self.entrance.count)))
            else { return .refused }
            return .entered(cookie)
        }
        guard path.hasPrefix(access.root + "/") else { return .refused }
        let isLive = path.prefix { $0 != "?" } == access.root + Self.events
        guard let cookie = cookie(of: request), access.admits(cookie, isPress: !isLive) else { return .refused }
        return .admitted(cookie: cookie)
    }

    /// Whether the browser says that this console's own page, or the person, made the request.
    ///
    /// A page on another port of the machine is of the same site, but of another origin (Fetch Metadata §2.4).
    ///
    /// The link may also be followed from a program or a file that shows it: who has it may enter.
    private func isOfOurOwn(_ request: HTTPRequest, isEntrance: Bool) -> Bool {
        let origins = request.headerFields[values: .origin]
        guard origins.count <= 1, origins.allSatisfy({ $0 == origin.text }) else { return false }
        let site = value(Self.fetchSite, of: request)
        switch request.method {
        case .get: return site == "same-origin" || site == "none" || (isEntrance && site == "cross-site")
        default: return site == "same-origin" && !origins.isEmpty
        }
    }

    private func value(_ name: HTTPField.Name?, of request: HTTPRequest) -> String? {
        guard let name else { return nil }
        let values = request.headerFields[values: name]
        return values.count == 1 ? values[0] : nil
    }

    /// Returns the cookie's value; `nil` also where there are two of the name.
    private func cookie(of request: HTTPRequest) -> String? {
        let prefix = access.cookieName + "="
        let found = request.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }
            .map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(prefix) }
        return found.count == 1 ? found.first.map { String($0.dropFirst(prefix.count)) } : nil
    }
}
