package import Operations
package import Sessions

/// A client (an app) and what was decided about it.
package struct ClientSettings: Sendable, Equatable {
    package let id: String
    /// The name that people are shown.
    package var name: String
    /// Whether requests that name no client are this one's.
    package var isDefault = false
    /// The `aud` of its tokens (RFC 7519 §4.1.3).
    package var audience: String
    package var verifier: ClientPolicy.Verifier = .required
    package var initiators: ClientPolicy.Initiators = .knownDevice
    package var accessTokenLifetime: Duration = .seconds(3600)
    package var refreshTokenLifetime: Duration = .days(30)
    /// The time from a sign-in to the last refresh, however busy the session is.
    package var sessionLifetime: Duration = .days(90)
    /// Whether a refresh replaces the token that it came with (RFC 9700 §4.14.2).
    package var refresh: RefreshPolicy.Rotation = .always
    /// The proof that refreshes a session opened by a device's key.
    package var keyRefresh: RefreshPolicy.KeySessions = .key
    /// The landing step, instead of ``FaceLoginSettings/landing``.
    package var landing: LandingPolicy.Step?
    /// The confirmation that the page takes, where it asks before the scan.
    package var confirmWith: LandingPolicy.Confirmation = .press
    /// The URLs that a login may send the browser back to: web pages, or an app's own scheme (RFC 8252 §7).
    package var returnURLs: [String] = []
    /// The surfaces whose requests may name it.
    package var surfaces = SurfaceSettings.names
    /// Whether tokens need the code that the browser brings back.
    package var requireReturn = false
    /// The authorization server that the broker stands before; `nil` for a client of our own.
    package var upstream: String?
    /// `nil` for a client that the authorization server does not know.
    package var oauth: OAuthClientSettings?

    package init(id: String) {
        self.id = id
        name = id
        audience = id
    }
}

/// One of the sets of routes that clients in the field speak.
package struct SurfaceSettings: Sendable, Equatable {
    package var name = ""
    package var enabled = false
    /// Whether people open accounts there themselves.
    package var registration = false
    /// The client of a request that names none.
    package var client: String?

    /// One that stands in where none is served.
    package static let unserved = SurfaceSettings()

    /// The surfaces that there are.
    package static let names = ["bbms", "mobile", "yapt", "passkeys"]
}

extension SettingRule where Value == String {
    /// The name of a surface.
    static var surface: Self {
        let names = SurfaceSettings.names.joined(separator: ", ")
        return Self(expected: "one of \(names)", type: .choice(names)) { text, _, _ throws(SettingError) in
            guard SurfaceSettings.names.contains(text) else { throw .refusing(text, "is not one of \(names)") }
            return text
        }
    }
}
