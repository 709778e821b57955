/// A client (an app) and what was decided about it.
package struct ClientSettings: Sendable, Equatable {
    package let id: String
    /// What people are shown.
    package var name: String
    /// Whether requests that name no client are this one's.
    package var isDefault = false
    /// The `aud` of its tokens (RFC 7519 §4.1.3).
    package var audience: String
    package var verifier: Verifier = .required
    package var initiators: Initiators = .knownDevice
    package var accessTokenLifetime: Duration = .seconds(3600)
    package var refreshTokenLifetime: Duration = .days(30)
    /// From a sign-in to the last refresh, however busy the session.
    package var sessionLifetime: Duration = .days(90)
    package var refresh: Refresh = .rotation
    /// What refreshes a session that a device's key opened.
    package var keyRefresh: KeyRefresh = .signature
    /// In the place of ``FaceLoginSettings/landing``.
    package var landing: FaceLoginSettings.Landing?
    /// What the page takes for a yes, where it asks before the scan.
    package var confirmWith: Confirmation = .press
    /// Where a login may send the browser back to: web pages, or an app's own scheme (RFC 8252 §7).
    package var returnURLs: [String] = []
    /// The surfaces whose requests may name it.
    package var surfaces = SurfaceSettings.names
    /// Whether tokens need the code that the browser brings back.
    package var requireReturn = false
    /// The authorization server that the broker stands before; `nil` for a client of our own.
    package var upstream: String?
    /// `nil`: it is no client of the authorization server.
    package var oauth: OAuthClientSettings?

    package init(id: String) {
        self.id = id
        name = id
        audience = id
    }

    /// Whether a start must bring a code challenge (RFC 7636).
    package enum Verifier: String, Sendable, CaseIterable {
        case optional, required
    }

    /// Whether a refresh replaces the token that it came with (RFC 9700 §4.14.2).
    package enum Refresh: String, Sendable, CaseIterable {
        case rotation
        /// For an app that never stores a new one: its token is good for twelve hours, and a copy of it as well.
        case bearerWithoutRotation = "bearer-without-rotation"
    }

    /// What has to come with the refresh token of a session that a device's key opened.
    package enum KeyRefresh: String, Sendable, CaseIterable {
        /// A signature of the key.
        case signature
        /// That, or the device credential: for an app whose refresh has nothing but the token in its body.
        case credential
    }

    /// What the page takes for a yes, where it asks before the scan.
    package enum Confirmation: String, Sendable, CaseIterable {
        case press
        /// A passkey of the account, where it has one.
        case passkeyIfAny = "passkey-if-any"
    }

    /// Who may start a login for an account.
    package enum Initiators: String, Sendable, CaseIterable {
        case anyone
        case knownDevice = "known-device"
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
    package static let none = SurfaceSettings()

    /// The surfaces that there are.
    package static let names = ["bbms", "mobile", "yapt", "passkeys"]
}

extension SettingRule where Value == String {
    /// The name of a surface.
    static var surface: Self {
        let names = SurfaceSettings.names.joined(separator: ", ")
        return Self(expected: "one of \(names)", type: .choice(names)) { text, _, _ throws(SettingComplaint) in
            guard SurfaceSettings.names.contains(text) else { throw .refusing(text, "is not one of \(names)") }
            return text
        } show: {
            .text($0)
        }
    }
}
