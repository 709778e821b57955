import Hummingbird
import Kernel
import Operations
import Web

/// The cookie by which a browser goes on with its authorization requests: `vst_oauth`.
///
/// One for all of them, so that two tabs don't take it from each other. Whoever is sent the address of somebody else's
/// sign-in page has not got it, and whoever sent them has not got theirs (RFC 9700 §4.7). Over https it has a twin, as
/// ``WebSessionCookies`` say.
package struct InteractionCookies: Sendable {
    static let name = "vst_oauth"

    private let twins: TwinCookies

    package init(isSecure: Bool) { twins = TwinCookies(name: Self.name, maxAge: .seconds(3600), isSecure: isSecure) }

    /// The cookie that a request brought, if it could be one of ours.
    func secret(_ request: Request) -> Secret? { twins.secret(request) }

    /// SHA-256 of it.
    func brought(_ request: Request) -> Digest256? { secret(request).map { Digest256(sha256: $0.expose()) } }

    /// Leaves a browser that one.
    func set(_ value: Secret, on response: inout Response) { twins.set(value, on: &response) }

    /// Has the pages of that interaction shown in the language that was asked for, also once the interaction is over.
    func keep(_ texts: LocalizedStrings, of interaction: Secret, for request: Request, on response: inout Response) {
        let path = "/oauth/sign-in/\(interaction.expose())"
        LanguageCookie.keep(texts, at: path, isSecure: twins.isSecure, for: request, on: &response)
    }
}
