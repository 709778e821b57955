import Hummingbird
import Kernel
import Operations
import Wallet

/// A cookie of 256 bits, with a companion of the same value where the address is https.
///
/// Another site of the same domain can set a cookie of any name for both (cookie tossing). Browsers send a cookie with
/// a longer path first (RFC 6265 §5.4), and the visitor would act in another person's name. No other site can set the
/// companion, because browsers accept `__Host-` only from its own host (RFC 6265bis §4.1.3.2). Only a cookie whose
/// value equals the companion's counts. Over plain http there is no companion: a cookie counts if it is the only one of
/// its name.
struct CompanionCookies: Sendable {
    let name: String
    let maxAge: Duration
    let isSecure: Bool
    /// The path of the cookie; that of the companion is always `/`.
    var path = "/"

    var companion: String { "__Host-" + name }

    /// Returns the value of the request's cookie, if it is well-formed and counts.
    func secret(_ request: Request) -> Secret? {
        word(request).flatMap { $0.expose().utf8.count == Self.length ? $0 : nil }
    }

    /// Returns the value of the request's cookie, if it counts, for a cookie that is no secret.
    func word(_ request: Request) -> Secret? {
        let cookies = IncomingCookies(request)
        let shown = cookies.values(of: name)
        let own = isSecure ? cookies.values(of: companion) : shown
        guard own.count == 1, shown.contains(own[0]) else { return nil }
        return IncomingCookies.secret(own[0])
    }

    /// Returns the SHA-256 of the cookie's value.
    func digest(in request: Request) -> Digest256? { secret(request).map { Digest256(sha256: $0.expose()) } }

    /// Sets the cookie in a browser.
    func set(_ value: Secret, on response: inout Response) {
        for cookie in cookies(value, lasting: maxAge) { response.set(cookie) }
    }

    /// Removes every cookie of that name that the request has, whether it counts or not.
    func remove(from request: Request, on response: inout Response) {
        let shown = IncomingCookies(request)
        guard [name, companion].contains(where: { !shown.values(of: $0).isEmpty }) else { return }
        for cookie in cookies(Secret(""), lasting: .zero) { response.set(cookie) }
    }

    private func cookies(_ value: Secret, lasting maxAge: Duration) -> [OutgoingCookie] {
        (isSecure ? [(name, path), (companion, "/")] : [(name, path)]).map { name, path in
            OutgoingCookie(name: name, value: value, path: path, maxAge: maxAge, isSecure: isSecure)
        }
    }

    /// The length of 256 bits in base64url.
    private static let length = 43
}

extension CompanionCookies {
    static let webSessionName = "yapt.sid"
    static let interactionName = "vst_oauth"

    /// The cookie of a browser's session, which before a sign-in ties the browser's ceremonies together.
    ///
    /// It lives for thirty days, even if the session ends: while it exists, the published app shows the person as
    /// signed in.
    static func webSession(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: webSessionName, maxAge: .seconds(30 * 24 * 3600), isSecure: isSecure)
    }

    /// The cookie by which a browser continues its authorization requests.
    ///
    /// One cookie serves all of them, so that two tabs do not replace each other's. A sign-in page's address is useless
    /// in a browser without the cookie that was set for it (RFC 9700 §4.7).
    static func interaction(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: interactionName, maxAge: .seconds(3600), isSecure: isSecure)
    }

    /// The cookie by which the browser of a scan is recognised on the landing pages.
    ///
    /// It shows the progress instead of the question. Without the companion, another site of the domain could toss the
    /// cookie of an attacker who has already answered the question.
    static func scan(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: "vst_go", maxAge: .seconds(900), isSecure: isSecure, path: "/go")
    }

    /// The cookie of a login that this browser began on the sign-in page or on `/face`, whose landing page then does not
    /// ask whether it did.
    ///
    /// Its value is the binding cookie of the operation. Each operation has its own cookie name, so that two logins in
    /// one browser don't overwrite each other. Without the companion, another site of the domain could toss the cookie
    /// of an attacker's login.
    static func ownLogin(_ operation: Operations.Operation, isSecure: Bool) -> CompanionCookies {
        CompanionCookies(
            name: "vst_own_" + String(operation.credentials.publicID.prefixWord, radix: 36),
            maxAge: operation.request.policy.timing.lifetime,
            isSecure: isSecure
        )
    }

    /// The cookie that recognises a browser which returns from a bank.
    ///
    /// One cookie serves all enrolments of a browser, so that two tabs do not replace each other's. A bank link that
    /// belongs to another person's enrolment is useless without this cookie (RFC 9700 §4.7). An attempt ends after ten
    /// minutes, and the cookie after an hour.
    static func enrollment(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: "vst_enroll", maxAge: .seconds(3600), isSecure: isSecure)
    }

    /// The cookie that shows a browser the question "whose wallet is this?" again after a reload.
    ///
    /// Its value is the question's own token, of which the database has only the digest. A reloaded page sends the
    /// bank's code and the state. These prove nothing, because the person who began the enrolment knows them too. Each
    /// question has its own token, so that no earlier one counts. Of two open questions a browser sees the later one
    /// again.
    static func question(isSecure: Bool) -> CompanionCookies {
        CompanionCookies(name: "vst_question", maxAge: BankService.attemptLifetime, isSecure: isSecure)
    }
}
