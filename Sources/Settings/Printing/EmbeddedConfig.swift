/// The daemon's config when it is started without one: config/vestibule.yaml and the file that it names.
///
/// The main text is printed from the schema and the laptop's differences from the defaults. Tests compare it with the
/// files.
package enum EmbeddedConfig {
    /// The name of the main text in findings.
    static let mainName = name(of: "vestibule.yaml")

    /// Returns the name of an embedded file in findings.
    static func name(of path: String) -> String { "built-in \(path)" }

    /// The files that ``main`` can name, by their relative paths.
    static let included = ["providers/mock.yaml": mock]

    /// The text of config/vestibule.yaml.
    package static let main =
        introduction + CommentedConfig.text(of: YAMLSource(name: mainName, text: laptop), remarks: remarks)

    private static let introduction = """
        # Vestibule on a laptop: every key, with its default unless a comment says otherwise.
        #
        # This file is also what the daemon runs with when it is given none, and `vestibule config show --commented` prints
        # it. For real people start from vestibule.production.yaml.
        #
        # Durations are a whole number and a unit: 500ms, 90s, 15m, 1h, 30d. Relative paths start from the data
        # folder (--data, or VESTIBULE_DATA). Any key can be set from outside, the later of these over the earlier:
        #   this file
        #   VESTIBULE_FACELOGIN__LIFETIME=200s   two underscores separate names, case does not matter. In a name like
        #                                        a client's, one can mean a hyphen too. An empty variable sets nothing
        #   --set faceLogin.lifetime=200s        can be given several times. A list is written with commas
        # `vestibule config check` names every fault, `vestibule config show` what is in force and where it was written.

        """

    /// The values that differ from the defaults.
    private static let laptop = """
        clients:
          bbms:
            name: BBMS
            default: true
            verifier: optional
            initiators: anyone
            refresh: bearer-without-rotation
          mwsim: {audience: mwsim, keyRefresh: credential}
          yapt: {audience: yapt}
          passkeys: {audience: passkeys}
          myvoo:
            name: myVOO
            audience: myvoo
            surfaces: []
            oauth:
              redirectURIs: ["myapp.scheme.demo://code_callback"]
              pkce: optional
              refreshTokens: always
        surfaces:
          bbms: {enabled: true, registration: true, client: bbms}
          mobile: {enabled: true, registration: true, client: mwsim}
          yapt: {enabled: true, registration: true, client: yapt}
          passkeys: {enabled: true, registration: true, client: passkeys}
        oauth: {enabled: true, registration: true}
        accounts: {requireVerifiedEmail: false}
        faceLogin: {provider: mock}
        providers: {mock: providers/mock.yaml}
        sampleData: {client: myvoo}
        wallet: {confirmEnrollment: false}
        """

    private static let remarks = [
        "clients.bbms": "The published app for face logins.",
        "clients.bbms.verifier": "The published app sends none",
        "clients.bbms.initiators":
            "The published app may be signing in on a new phone, which is not linked to an account yet",
        "clients.bbms.refresh": "The published app never stores a new one",
        "clients.mwsim": "The published wallet app. Keys that are not written here have their defaults.",
        "clients.mwsim.keyRefresh":
            "The published app signs no refresh: it sends the refresh token alone, and its device credential.",
        "clients.yapt": "The published app and site with sessions by cookie, signed in to by passkeys.",
        "clients.passkeys": "The published passkey apps, and this server's own pages.",
        "clients.myvoo": "The published app that signs in by OAuth, in a browser of the phone.",
        "clients.myvoo.surfaces": "No surface's requests may name it: its sign-ins are of OAuth.",
        "clients.myvoo.oauth.pkce": "The published app sends no code challenge.",
        "clients.myvoo.oauth.refreshTokens": "The published app asks for no scope.",
        "surfaces.bbms": "The routes of the published face login app.",
        "surfaces.mobile": "The routes of the published wallet app: devices, sign-ins by their keys, sessions.",
        "surfaces.yapt": "Passkeys bound to a cookie: /api/auth/register, login, me, logout, devices.",
        "surfaces.passkeys": "Passkeys by challengeId: /api/generate-registration-options and its like.",
        "accounts.requireVerifiedEmail": "The published apps have no page that asks for it",
        "providers": "The keys stand in the files of providers/",
        "wallet.confirmEnrollment": "The published app does not expect a page there",
    ]

    private static let mock = """
        # The stand-in for authID that `authid-mock` runs on this machine. Its keys are no secrets.

        # The adapter for its API.
        kind: authid
        # The address of its API.
        baseURL: http://127.0.0.1:8090
        # The id of the API key.
        keyID: mock-key-id
        # The API key.
        keyValue: mock-key-value

        """
}
