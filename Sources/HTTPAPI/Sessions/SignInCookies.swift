import Devices
import Hummingbird
import Kernel
import Operations

/// The cookies that a sign-in sets for an app that keeps cookies.
///
/// One proves the device. Clients that store no second refresh token get that token in another one.
struct SignInCookies: Sendable {
    static let deviceCookieName = "vst_device"

    let factory: DeviceCookieFactory
    let refresh: RefreshCookies
    /// The clients that also get their refresh token in a cookie.
    let refreshClients: Set<String>
    let isSecure: Bool

    /// Returns the device cookies that a request presents.
    static func deviceCookies(of request: Request) -> DeviceCookies {
        DeviceCookies(IncomingCookies(request)[deviceCookieName])
    }

    /// Returns the proofs by which the start of a login may be recognised: device cookies, credential and signature.
    ///
    /// `credential`: The device credential of an app; pages have none.
    func proofs(of request: Request, credential: Digest256?, signed: SignedStart? = nil) -> PresentedProofs {
        let cookies = Self.deviceCookies(of: request)
        return PresentedProofs(
            issued: cookies.digests { factory.isIssued($0) },
            others: cookies.digests { !factory.isIssued($0) } + [credential].compactMap(\.self),
            signed: signed
        )
    }

    /// Sets the cookies in the answer to the session's sign-in, if its app keeps cookies.
    ///
    /// `expiresAt`: The time at which the refresh token expires.
    func set(
        _ device: Delivery.DeviceCookie,
        of session: SessionID,
        _ client: String,
        refreshToken: Secret,
        until expiresAt: Instant,
        on response: inout Response,
        for request: Request
    ) {
        guard let cookie = deviceCookie(device, of: session, for: request) else { return }
        response.set(cookie)
        guard refreshClients.contains(client) else { return }
        refresh.set(refreshToken, until: expiresAt, for: request, on: &response)
    }

    /// Sets only the cookie that proves the device.
    func setDevice(
        _ device: Delivery.DeviceCookie,
        of session: SessionID,
        on response: inout Response,
        for request: Request
    ) {
        if let cookie = deviceCookie(device, of: session, for: request) { response.set(cookie) }
    }

    private func deviceCookie(
        _ device: Delivery.DeviceCookie,
        of session: SessionID,
        for request: Request
    ) -> OutgoingCookie? {
        let cookies = Self.deviceCookies(of: request)
        let value: Secret?
        switch device {
        case .none: value = nil
        case .issued: value = cookies.adding(factory.cookie(for: session)).value
        case .prolonged: value = cookies.value
        }
        return value.map {
            OutgoingCookie(
                name: Self.deviceCookieName,
                value: $0,
                path: "/",
                maxAge: DeviceLinks.lifetime,
                isSecure: isSecure
            )
        }
    }
}

/// The value of the cookie `vst_device`: a secret for each account that signed in with this browser, the newest first.
///
/// Accounts never share a secret: a copy of the cookie proves no account that signed in later. Several people who use
/// one browser in turns all stay recognised.
struct DeviceCookies: Equatable {
    /// The number of accounts for which a browser stays recognised; a further one replaces the oldest.
    static let limit = 4
    private static let separator: Character = "."

    private let secrets: [Substring]

    /// Reads the cookie's value, and drops parts that cannot be secrets.
    init(_ value: Secret?) {
        let parts = value?.expose().split(separator: Self.separator) ?? []
        secrets = Array(parts.filter { $0.utf8.count == Self.secretLength }.prefix(Self.limit))
    }

    private init(secrets: [Substring]) { self.secrets = secrets }

    /// 256 bits in base64url.
    private static let secretLength = 43

    /// The SHA-256 of each secret.
    var digests: [Digest256] { digests { _ in true } }

    /// Returns the SHA-256 of each secret for which `isOfKind` is true.
    func digests(where isOfKind: (Substring) -> Bool) -> [Digest256] {
        secrets.filter(isOfKind).map { Digest256(sha256: $0) }
    }

    /// Returns the cookies with that secret first; a secret that is already there moves to the front.
    func adding(_ secret: Secret) -> DeviceCookies {
        let new = secret.expose()
        return DeviceCookies(secrets: Array(([new[...]] + secrets.filter { $0 != new }).prefix(Self.limit)))
    }

    /// The cookie's value; `nil` without any secret.
    var value: Secret? { secrets.isEmpty ? nil : Secret(secrets.joined(separator: String(Self.separator))) }
}
