// Console: pages for operators, served by a process of their own on a loopback port.
// Owns the link, the cookie and the token, the pages, and the forms made of Admin's table.
// Decides no rights and holds no data: it sends commands to a daemon's admin socket, which knows whose process this is.
// Survives other users of the machine, other pages of the browser and guessed links: they get one constant 404.
// It must not know one command by itself where the table says enough: a new command has a form by being there.

package import Admin
import HTTPTypes
package import Hummingbird
package import Kernel
package import Logging
import NIOCore
import Web

/// Answers the requests of a console's browser.
package struct Console: HTTPResponder {
    package typealias Context = BasicRequestContext

    /// The most bytes of a form.
    private static let bodyLimit = 64 * 1024
    private static let tokenHeader = HTTPField.Name("X-Console-Token")

    private let gate: RequestGate
    private let access: ConsoleAccess
    private let pages: ConsolePages
    private let actions: ConsoleActions
    private let streams: LiveStreams
    private let brand: Brand
    private let logger: Logger

    /// - Parameters:
    ///   - access: The session that is served.
    ///   - origin: The console's own address.
    ///   - owner: Whose daemon it is; `nil` where that is not known.
    ///   - executor: Sends commands to the daemon.
    ///   - input: The functions of the program that commands need.
    ///   - environment: The clock and the randomness.
    ///   - logger: The log.
    package init(
        _ access: ConsoleAccess,
        origin: ConsoleOrigin,
        owner: OwnerView? = nil,
        executor: any CommandExecutor,
        input: ConsoleInput,
        environment: Kernel.Environment,
        logger: Logger
    ) {
        self.access = access
        gate = RequestGate(access, origin)
        let runner = CommandRunner(executor: executor, input: input)
        pages = ConsolePages(runner: runner, now: environment.now)
        actions = ConsoleActions(runner: runner, confirmations: Confirmations(environment))
        streams = LiveStreams(access, environment)
        brand = owner.map(Brand.init) ?? .builtIn
        self.logger = logger
    }

    package func respond(to request: Request, context: Context) async throws -> Response { await respond(to: request) }

    /// Answers a request; nothing of its connection matters.
    func respond(to request: Request) async -> Response {
        switch gate.decide(request.head) {
        case .refused: ConsoleResponse.nothing
        case .entered(let cookie): enter(cookie)
        case .admitted(let cookie):
            await request.method == .post ? act(request, cookie) : show(request, cookie)
        }
    }

    private var site: ConsoleContent.Site { .init(root: access.root, owner: brand.name) }

    private func enter(_ cookie: Secret) -> Response {
        var response = page(ConsoleContent(title: "Welcome", isEntry: true))
        // No `Secure`: it is plain HTTP that does not leave the machine.
        response.headers[.setCookie] =
            "\(access.cookieName)=\(cookie.expose()); Path=\(access.root)/; HttpOnly; SameSite=Strict"
        return response
    }

    /// Returns the page with addresses below the console's own path, and its content escaped.
    private func page(_ content: ConsoleContent) -> Response {
        var content = content
        content.site = site
        return ConsoleResponse.page(content.markup)
    }

    /// Returns the path of a request without the part that only this console has.
    private func path(of request: Request) -> String { String(request.uri.path.dropFirst(access.root.count)) }

    private func show(_ request: Request, _ cookie: String) async -> Response {
        let path = path(of: request)
        switch path {
        case "/style.css": return ConsoleResponse.text(WebAssets.consoleStyle(of: brand), type: "text/css")
        case "/console.js": return ConsoleResponse.text(WebAssets.consoleScript, type: "text/javascript")
        case "/icon.svg": return ConsoleResponse.text(WebAssets.icon(of: brand), type: "image/svg+xml")
        case "/apple-touch-icon.png": return ConsoleResponse.image(WebAssets.touchIcon)
        case RequestGate.events: return events(request, cookie)
        default: break
        }
        let address = PageAddress(path: path, query: request.uri.query)
        let token = access.token(for: cookie)
        guard let content = await pages.content(of: address, token: token) else { return ConsoleResponse.nothing }
        return page(content)
    }

    /// Returns the stream of a page that changes by itself.
    private func events(_ request: Request, _ cookie: String) -> Response {
        guard let page = FormValues(request.uri.query ?? "")["page"] else { return ConsoleResponse.nothing }
        let address = PageAddress(path: page, query: nil)
        guard address.isLive else { return ConsoleResponse.nothing }
        guard !streams.isFull else {
            return ConsoleResponse.text("Too many pages are open\n", type: "text/plain", status: .serviceUnavailable)
        }
        var response = ConsoleResponse.text("", type: "text/event-stream")
        let token = access.token(for: cookie)
        response.headers[.contentLength] = nil
        response.body = ResponseBody { [self] writer in
            try await streams.run(address, cookie: cookie, to: &writer) {
                await pages.content(of: address, token: token).flatMap { part(of: $0) }
            }
            try await writer.finish(nil)
        }
        return response
    }

    /// Returns the part of a page that changes by itself.
    private func part(of content: ConsoleContent) -> String? {
        var content = content
        content.site = site
        let markup = content.markup
        guard let start = markup.firstRange(of: "<div id=\"live\">"),
            let end = markup.firstRange(of: "</div>\n</main>"), start.upperBound <= end.lowerBound
        else { return nil }
        return String(markup[start.upperBound..<end.lowerBound])
    }

    private func act(_ request: Request, _ cookie: String) async -> Response {
        guard request.headers[.contentType]?.prefix(while: { $0 != ";" }) == "application/x-www-form-urlencoded",
            let body = try? await request.body.collect(upTo: Self.bodyLimit)
        else { return ConsoleResponse.nothing }
        let form = FormValues(String(buffer: body))
        // The field is for pages without a script. Both are as unguessable, and both need the exact `Origin` besides.
        let header = Self.tokenHeader.flatMap { request.headers[$0] }
        guard let token = header ?? form.exact("token"), access.accepts(token, for: cookie) else {
            logger.warning("a write without the console's token was refused")
            return ConsoleResponse.nothing
        }
        let address = PageAddress(path: path(of: request), query: nil)
        guard let content = await actions.content(of: address, form, token: token) else {
            return ConsoleResponse.nothing
        }
        return page(content)
    }
}

extension Brand {
    /// The look of a daemon's pages, without its logo.
    fileprivate init(_ owner: OwnerView) {
        var settings = BrandSettings()
        settings.accent = owner.accent.flatMap { BrandColour($0) }
        settings.accentDark = owner.accentDark.flatMap { BrandColour($0) }
        self.init(settings, name: owner.name)
    }
}

extension ConsoleContent {
    /// The page, with its content escaped.
    fileprivate var markup: String { Self.template.render(self, in: .english) }
}
