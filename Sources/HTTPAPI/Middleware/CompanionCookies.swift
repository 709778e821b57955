import Hummingbird
import Kernel
import Wallet

/// A cookie of 256 bits, with a twin of the same value where the address is https.
///
/// A site beside this one can set a cookie of any name for both, with a longer path that browsers send first (RFC 6265
/// §5.4), to have its visitor act in the name of somebody else. The twin's name no other site can set, for browsers take
/// `__Host-` from its own host alone (RFC 6265bis §4.1.3.2): only the value that the twin names counts. Over plain http there
/// is no twin, and of two cookies none counts.
package struct CompanionCookies: Sendable {
    let name: String
    let maxAge: Duration
    let isSecure: Bool

    var companion: String { "__Host-" + name }

    /// The cookie that a request brought, if it could be one of ours.
    func secret(_ request: Request) -> Secret? {
        let cookies = IncomingCookies(request)
        let shown = cookies.values(of: name)
        let own = isSecure ? cookies.values(of: companion) : shown
        guard own.count == 1, own[0].utf8.count == Self.length, shown.contains(own[0]) else { return nil }
        return IncomingCookies.secret(own[0])
    }

    /// SHA-256 of it.
    func digest(in request: Request) -> Digest256? { secret(request).map { Digest256(sha256: $0.expose()) } }

    /// Leaves a browser that one.
    func set(_ value: Secret, on response: inout Response) {
        for cookie in cookies(value, lasting: maxAge) { response.set(cookie) }
    }

    /// Takes away what the request shows of it, whether it counts or not.
    func remove(from request: Request, on response: inout Response) {
        let shown = IncomingCookies(request)
        guard [name, companion].contains(where: { !shown.values(of: $0).isEmpty }) else { return }
        for cookie in cookies(Secret(""), lasting: .zero) { response.set(cookie) }
    }

    private func cookies(_ value: Secret, lasting maxAge: Duration) -> [OutgoingCookie] {
        (isSecure ? [name, companion] : [name]).map { name in
            OutgoingCookie(name: name, value: value, path: "/", maxAge: maxAge, isSecure: isSecure)
        }
    }

    /// 256 bits in base64url.
    private static let length = 43
}

extension CompanionCookies {
    static let webSessionName = "yapt.sid"
    static let interactionName = "vst_oauth"

    /// The cookie by which a browser holds its session, and before it has one, ties its ceremonies together.
    ///
    /// It keeps for thirty days and no shorter, whatever the session does: the published app does not ask whether it is still
    /// signed in before it shows that it is.
    package static func webSession(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: webSessionName, maxAge: .seconds(30 * 24 * 3600), isSecure: isSecure)
    }

    /// The cookie by which a browser goes on with its authorization requests.
    ///
    /// One for all of them, so that two tabs don't take it from each other. Whoever is sent the address of somebody else's
    /// sign-in page has not got it, and whoever sent them has not got theirs (RFC 9700 §4.7).
    package static func interaction(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: interactionName, maxAge: .seconds(3600), isSecure: isSecure)
    }

    /// The cookie by which a browser that is back from a bank is known for the one that departed.
    ///
    /// One for all its enrolments, so that two tabs don't take it from each other. Whoever is sent the bank's link out of
    /// somebody else's enrolment has not got it (RFC 9700 §4.7). An attempt is over in ten minutes; two of them in a row stay
    /// within the hour.
    static func enrollment(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: "vst_enroll", maxAge: .seconds(3600), isSecure: isSecure)
    }

    /// The cookie by which a browser that was asked whose wallet it is sees that question again, for as long as it lasts.
    ///
    /// Its value is the question's own token, of which the store has the digest alone. A page that is loaded anew comes with
    /// the bank's code and with the state, which whoever began has seen: they prove nothing, and the cookie does. Each question
    /// has one of its own, so that none that was there before counts; of two at once a browser sees the later one again.
    static func question(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: "vst_question", maxAge: BankService.attemptLifetime, isSecure: isSecure)
    }
}
