import Hummingbird
import Kernel
import Wallet

/// A cookie of 256 bits, with a companion of the same value where the address is https.
///
/// Another site of the same domain can set a cookie of any name for both (cookie tossing). With a longer path browsers
/// send it first (RFC 6265 §5.4), and its visitor would act in another person's name. No other site can set the
/// companion, for browsers accept `__Host-` from its own host alone (RFC 6265bis §4.1.3.2). Only the value that the
/// companion names counts. Over plain http the cookie has no companion, and of two cookies none counts.
struct CompanionCookies: Sendable {
    let name: String
    let maxAge: Duration
    let isSecure: Bool

    var companion: String { "__Host-" + name }

    /// Returns the request's cookie, if it is well-formed.
    func secret(_ request: Request) -> Secret? {
        let cookies = IncomingCookies(request)
        let shown = cookies.values(of: name)
        let own = isSecure ? cookies.values(of: companion) : shown
        guard own.count == 1, own[0].utf8.count == Self.length, shown.contains(own[0]) else { return nil }
        return IncomingCookies.secret(own[0])
    }

    /// Returns the cookie's SHA-256.
    func digest(in request: Request) -> Digest256? { secret(request).map { Digest256(sha256: $0.expose()) } }

    /// Sets the cookie in a browser.
    func set(_ value: Secret, on response: inout Response) {
        for cookie in cookies(value, lasting: maxAge) { response.set(cookie) }
    }

    /// Removes the request's cookies of that name, whether they count or not.
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

    /// The length of 256 bits in base64url.
    private static let length = 43
}

extension CompanionCookies {
    static let webSessionName = "yapt.sid"
    static let interactionName = "vst_oauth"

    /// The cookie by which a browser holds its session, and before it has one, ties its ceremonies together.
    ///
    /// It lives for thirty days, whatever the session does: the published app shows itself as signed in without asking.
    static func webSession(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: webSessionName, maxAge: .seconds(30 * 24 * 3600), isSecure: isSecure)
    }

    /// The cookie by which a browser continues its authorization requests.
    ///
    /// One cookie serves them all, so that two tabs don't take it from each other. A person who is sent the address of
    /// another's sign-in page lacks that one's cookie, and the sender lacks the person's (RFC 9700 §4.7).
    static func interaction(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: interactionName, maxAge: .seconds(3600), isSecure: isSecure)
    }

    /// The cookie by which a browser that is back from a bank is recognised as the one that left.
    ///
    /// One cookie serves all its enrolments, so that two tabs don't take it from each other. A person who is sent the
    /// bank's link of another's enrolment lacks the cookie (RFC 9700 §4.7). An attempt ends after ten minutes; two of
    /// them in a row fit in the hour.
    static func enrollment(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: "vst_enroll", maxAge: .seconds(3600), isSecure: isSecure)
    }

    /// The cookie by which a browser that was asked whose wallet it is sees that question again, for as long as it
    /// lasts.
    ///
    /// Its value is the question's own token, of which the store has only the digest. A reloaded page presents the
    /// bank's code and the state, which the person who began has seen: they prove nothing, and the cookie does. Each
    /// question has its own, so that no earlier one counts; of two at once a browser sees the later one again.
    static func question(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: "vst_question", maxAge: BankService.attemptLifetime, isSecure: isSecure)
    }
}
