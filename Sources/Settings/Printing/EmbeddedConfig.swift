/// The config that the daemon runs with when it is given none: config/vestibule.yaml and the file that it names.
///
/// The texts are those files' own, byte for byte; a test compares them.
enum EmbeddedConfig {
    /// How findings call the main text.
    static let mainName = name(of: "vestibule.yaml")

    /// How findings call an embedded file.
    static func name(of path: String) -> String { "built-in \(path)" }

    /// The files that ``main`` can name, by their paths beside it.
    static let included = ["providers/mock.yaml": mock]

    static let main = people + wallet + running

    /// Who signs in where, and how.
    private static let people = #"""
        # Vestibule on a laptop: every key, with its default unless a comment says otherwise.
        #
        # This file is also what the daemon runs with when it is given none. For real people start from
        # vestibule.production.yaml.
        #
        # Durations are a whole number and a unit: 500ms, 90s, 15m, 1h, 30d. Relative paths start from the data
        # folder (--data, or VESTIBULE_DATA). Any key can be set from outside, the later of these over the earlier:
        #   this file
        #   VESTIBULE_FACELOGIN__LIFETIME=200s   two underscores part the names, case does not count; in a name like
        #                                        a client's, one stands for a hyphen too; an empty variable sets nothing
        #   --set faceLogin.lifetime=200s        may be given many times; a list is written with commas
        # `vestibule config check` names every fault, `vestibule config show` what is in force and where it was written.

        # How careful to be: laptop serves old client shapes, production refuses them.
        mode: laptop

        # Where the server listens.
        listen:
          # The address; anything but loopback needs tls or behindProxy.
          host: 127.0.0.1
          # The TCP port; 0 picks a free one.
          port: 8080
          # Connections that wait to be accepted.
          backlog: 4096
          # Connections open at one time.
          maxConnections: 20000
          # Those of one address, or of an IPv6 /64; trusted proxies are free of it, and limits.off is too.
          maxConnectionsPerAddress: 256
          # Until a connection is closed that is silent or reads nothing; for bodies as well, at most 15 s.
          idleTimeout: 75s
          # How long a stop goes on serving while /readyz says 503, for load balancers; by default 5s in production, 0s else.
          drainNotice: 0s
          # How long a stop then waits for open requests, and for what banks were asked.
          drainTimeout: 20s
          # A proxy in front ends TLS, so plain HTTP may leave this host.
          behindProxy: false
          # Proxies that are believed about whom they speak for, in Forwarded or X-Forwarded-For. (Each an address
          # or a block like 10.0.0.0/8; each has to write one of the two itself, or a client could.)
          trustedProxies: []
          # Browser apps that may call this server with cookies and read its answers, each by its exact origin. (Like
          # https://app.example.com, as browsers send it; null can't be one.)
          corsOrigins: []
          # The Unix socket of the administration commands.
          adminSocket: vestibule.sock

        # How browsers and apps reach this server; by default http (https with tls) on localhost with the port.
        # publicURL: https://login.example.com

        # The issuer that tokens name; by default publicURL.
        # issuer: https://login.example.com

        # Serves TLS; read again on SIGHUP.
        # tls:
        #   # The certificate chain, PEM.
        #   certificate: tls/certificate.pem
        #   # The private key, PEM.
        #   key: tls/key.pem

        # What is logged.
        log:
          # The least level that is logged. (trace, debug, info, notice, warning, error or critical)
          level: info
          # A line for each request, without its query.
          access: true

        # Where rows are kept.
        storage:
          # The SQLite database.
          file: vestibule.sqlite
          # full survives a loss of power; normal may lose the latest commits.
          durability: full
          # How long to wait for another process's lock.
          busyTimeout: 5s

        # The apps that may sign people in, by client id.
        clients:
          bbms:
            # What people are shown; by default the id.
            name: BBMS
            # Whether requests that name no client are this one's; one client at most. (By default false.)
            default: true
            # The audience of its tokens; by default the id.
            audience: bbms
            # Whether a login must begin with a code challenge (RFC 7636). (required or optional; by default required.
            # The published app sends none.)
            verifier: optional
            # Who may start a login: anyone who knows the e-mail, or a known-device of the account. (By default known-
            # device. The published app may be signing in on a new phone, which is linked to no account yet.)
            initiators: anyone
            # How long an access token is good.
            accessTokenLifetime: 1h
            # How long a refresh token is good.
            refreshTokenLifetime: 30d
            # How long a sign-in can be refreshed, however often.
            sessionLifetime: 90d
            # Whether a refresh replaces the refresh token; without it a copy works beside the app for 12 hours. (rotation
            # or bearer-without-rotation; by default rotation. The published app never stores a new one.)
            refresh: bearer-without-rotation
            # What refreshes a session that a device's key opened: a signature of the key, or the device credential too.
            # (signature or credential)
            keyRefresh: signature
            # What the landing page does for this client; by default what faceLogin.landing says.
            # landing: confirm
            # What the page takes for a yes where it asks first: a press, or a passkey if the account has any. (press or
            # passkey-if-any.)
            confirmWith: press
            # Where a login may send the browser back to.
            returnURLs: []
            # The surfaces whose requests may name it. (bbms, mobile, yapt and passkeys; by default all.)
            surfaces: [bbms, mobile, yapt, passkeys]
            # Whether tokens need the code that the browser brings back; takes a provider that sends it back.
            requireReturn: false
            # Which of upstreams signs its people in, by way of the broker; by default this server does.
            # upstream: ates

          mwsim:
            # The published wallet app; what is not written here is as by default.
            audience: mwsim
            # The published app signs no refresh: it sends the refresh token alone, and its device credential.
            keyRefresh: credential

          yapt:
            # The published app and site with sessions by cookie, signed in to by passkeys.
            audience: yapt

          passkeys:
            # The published passkey apps, and this server's own pages.
            audience: passkeys

          myvoo:
            # The published app that signs in by OAuth, in a browser of the phone.
            name: myVOO
            audience: myvoo
            # No surface's requests may name it: its sign-ins are of OAuth.
            surfaces: []
            # Makes it a client of the authorization server.
            oauth:
              # Where codes go, compared character by character: https, http on this machine, or an app's own scheme.
              redirectURIs: [myapp.scheme.demo://code_callback]
              # Where a browser may go once it is signed out.
              postLogoutRedirectURIs: []
              # What it may ask for tokens with. (authorization_code, refresh_token, ciba and device_code; by default the
              # first two.)
              grants: [authorization_code, refresh_token]
              # How it shows that it is itself: an app on a phone can't, a server does by a secret or by keys. (none, secret
              # or private-key-jwt)
              authentication: none
              # Its secret, 32 random characters at least. (Letters, digits, - and _.)
              # secret: env:MYVOO_SECRET
              # Its secret before, which counts as well until it is taken away here.
              # earlierSecret: env:MYVOO_EARLIER_SECRET
              # The file of its public keys, a JWK set.
              # keys: clients/myvoo.jwks.json
              # All that it may ask for.
              scopes: [openid, profile, email, offline_access]
              # The APIs that it may ask for tokens for (RFC 8707).
              resources: []
              # Whether each code needs a code challenge (RFC 7636); optional is for a published app that sends none.
              # (By default required. Where one is sent it counts.)
              pkce: optional
              # Whether its requests have to be pushed first (RFC 9126).
              pushedRequests: optional
              # Whether its tokens have to be bound to a key (RFC 9449).
              dpop: optional
              # When a sign-in gets a refresh token: with the scope offline_access, or always. (offline-access or always; by
              # default offline-access. The published app asks for no scope.)
              refreshTokens: always
              # What a person has to have proved, now or in the browser's session from before. (any, face-or-passkey, face,
              # passkey or face-and-passkey; by default face-or-passkey. A password or a mailed code is enough for any alone, which
              # production refuses.)
              requires: face-or-passkey
              # What its id tokens are signed with: as access tokens are (secrets.signingAlgorithm), or by RS256. (default or
              # rs256)
              idTokenAlgorithm: default
              # What its id tokens say of the person, with the scope of each; all of it is at /oauth/userinfo in any case.
              # (name, preferred_username and email)
              idTokenClaims: []
              # How it gets the answers to its backchannel requests.
              # ciba:
              #   # Whether it polls, is pinged, or is pushed the tokens. (poll, ping or push)
              #   delivery: poll
              #   # Where pings and pushes go.
              #   notificationEndpoint: https://app.example.com/ciba
              #   # Whether its requests have to be signed by its keys. (required or optional)
              #   signedRequests: optional

        # The sets of routes that are served.
        surfaces:
          # The routes of the published face login app.
          bbms:
            # Whether its routes are there. (By default false.)
            enabled: true
            # Whether people can open accounts there themselves. (By default false.)
            registration: true
            # The client of requests that name none. (By default there is none, and the default client serves them.)
            client: bbms
          # The routes of the published wallet app: devices, sign-ins by their keys, sessions.
          mobile:
            enabled: true
            registration: true
            client: mwsim
          # Passkeys bound to a cookie: /api/auth/register, login, me, logout, devices.
          yapt:
            enabled: true
            registration: true
            client: yapt
          # Passkeys by challengeId: /api/generate-registration-options and its like.
          passkeys:
            enabled: true
            registration: true
            client: passkeys

        # The authorization server for OAuth and OpenID Connect clients.
        oauth:
          # Whether the OAuth routes are there. (By default false.)
          enabled: true
          # Whether clients can register themselves, with a token of vestibule clients registration-token. (By default
          # false.)
          registration: true
          # From the end of a sign-in to the redemption of its code.
          codeLifetime: 60s
          # From an authorization request to the end of its sign-in.
          interactionLifetime: 10m
          # From a pushed request to its use.
          requestLifetime: 90s
          # What clients of CIBA wait between two polls.
          cibaInterval: 2s
          # From a backchannel request to its end, unless it asks for less.
          cibaLifetime: 180s
          # What devices wait between two polls.
          deviceInterval: 5s
          # From a device's request to the end of its code.
          deviceLifetime: 10m

        # Accounts that people open themselves.
        accounts:
          # Whether an address is the account's only once it was proved; before, no face is enrolled. (By default true. The
          # published apps have no page that asks for it.)
          requireVerifiedEmail: false

        # Passkeys: whose, from where, and what they have to show. (The variables RP_ID, RPID, RPDISPLAYNAME, ORIGIN and
        # EXPECTED_ORIGIN, by which servers of passkeys in the field are configured, set rpID, rpName and origins too.)
        passkeys:
          # The domain that passkeys are made for; by default the host of publicURL. Another one is another passkey.
          # rpID: login.example.com
          # What people are shown as whom a passkey is for.
          rpName: Vestibule
          # Where answers may come from: pages, and apps of Android; by default the origin of publicURL. (Each as its
          # client data has it: https://login.example.com, or android:apk-key-hash: and a hash.)
          origins: []
          # Pages of other domains that may use these passkeys; browsers read them at /.well-known/webauthn.
          relatedOrigins: []
          # Domains beside rpID that a request may ask for (customRpID).
          customRPIDs: []
          # Names beside rpName that a request may ask for (customRpName). (In laptop mode any is.)
          customRPNames: []
          # What a new passkey's authenticator has to prove of itself: direct and enterprise take those of
          # trustFolder. (none, indirect, direct or enterprise)
          attestation: none
          # Certificates of authenticators' makers; see vestibule mds load.
          trustFolder: passkey-trust
          # Which of Android's keys attest: those of its secure hardware, or any. (hardware or any)
          androidKeys: hardware
          # What TPMs may sign attestations with; sha1 takes Windows Hello on older machines, and sha2 as well.
          # (sha2 or sha1)
          tpmSignatures: sha2
          # How long overdue metadata is relied on; its models are trusted no more from then on.
          metadataGrace: 14d
          # What a signature is worth whose counter was used before, as a copy's would be: it is recorded either way.
          # (refuse or flag)
          counter: refuse
          # Whether every sign-in asks for face, finger or PIN, or as requests say. (required or as-requested)
          userVerification: required
          # Apps of Apple's platforms that may use them; named in /.well-known/apple-app-site-association. (Each a
          # team's id and a bundle's, like A1B2C3D4E5.com.example.app.)
          appleApps: []
          # Apps of Android that may use them; named in /.well-known/assetlinks.json, and an origin each. (Each a
          # package, a space, and its certificate's SHA-256 as keytool prints it.)
          androidApps: []
          # Whether /api/users tells everybody who has an account, for trying things out.
          listUsers: false
          # How long a browser stays signed in without a request.
          sessionIdle: 7d
          # How long it stays signed in at all, and no longer than its client's refresh tokens are good.
          sessionLifetime: 30d

        # How long a face login may take, and who scans.
        faceLogin:
          # Which of providers scans faces. (Must be written.)
          provider: mock
          # Which others scan, in this order, the people enrolled there while it can't be asked.
          failover: []
          # From the start of a login to its deadline. (125s to 15m)
          lifetime: 180s
          # From the approval to the first collection.
          approvalWindow: 60s
          # From the first collection to the last repeated one.
          redemptionWindow: 120s
          # What clients wait between two polls. (1s to 30s)
          pollInterval: 2s
          # What the landing page does: redirect goes on to the provider by itself, confirm says what is asked for and
          # waits, direct leaves it out (laptop only). (A cross-device login always waits.)
          landing: redirect
          # Between two checks at the provider while a client waits.
          hotCheck: 1s
          # Between two checks at the provider while none does.
          coldCheck: 5s

        # The face providers, by name: keys, or a file with them beside this one. (The keys stand in the files of
        # providers/.)
        providers:
          mock: providers/mock.yaml

        # Authorization servers that want a secret of apps that can't keep one, by name; a client names one.
        # upstreams:
        #   ates:
        #     # Where people sign in.
        #     authorizeURL: https://login.upstream.example.com/authorize
        #     # Where codes and refresh tokens are traded.
        #     tokenURL: https://login.upstream.example.com/token
        #     # What this server is called there. (There, its redirect URI is publicURL with /oauth/upstream/callback.)
        #     clientID: vestibule
        #     # Its secret there.
        #     clientSecret: env:ATES_CLIENT_SECRET
        #     # Where the secret goes: into the form, or HTTP Basic. (post or basic; by default post.)
        #     authentication: post
        #     # The issuer that it names in its answers (RFC 9207); others are refused then.
        #     issuer: https://login.upstream.example.com
        #     # What every sign-in asks for.
        #     scopes: [profile]
        #     # Whether it takes code challenges (RFC 7636). (By default false.)
        #     codeChallenge: false
        #     # How long one request to it, to the lookup or to the data may take.
        #     timeout: 5s
        #     # Who is behind an access token; goes with data.
        #     lookup:
        #       # What is asked, with the access token as bearer.
        #       url: https://people.upstream.example.com/UserManagement/GetPersonalInformation
        #       # What the answer is. (json or xml; by default json.)
        #       answer: xml
        #       # Where the answer has the person's id: a JSON pointer, or a path of XML elements like /Person/Id or
        #       # /Person/@id.
        #       person: /PersonalInformation/BPId
        #       # Where the answer says whether the person is active; by default that there is an answer says so.
        #       status: /PersonalInformation/Status
        #       # The words there that say yes.
        #       active: [ACTIVE]
        #       # Where the answer has the client that the token was given to, which has to be clientID; by default any will
        #       # do.
        #       audience: /PersonalInformation/ClientId
        #       # How long an id is kept at the most; never longer than the token is good.
        #       keepFor: 1h
        #     # The data of a person.
        #     data:
        #       # Where it is, with {person} in the place of the id.
        #       url: https://data.upstream.example.com/people/{person}
        #       # What is shown there as bearer; by default nothing.
        #       key: env:ATES_DATA_KEY

        # A resource to try sign-ins with: GET /api/data.
        sampleData:
          # The client whom GET /api/data is for; by default there is no such address.
          client: myvoo


        """#

    private static let mock = #"""
        # The stand-in for authID that `authid-mock` runs on this machine. Its keys are no secrets.

        # Which adapter speaks to it.
        kind: authid
        # Where its API is.
        baseURL: http://127.0.0.1:8090
        # The id of the API key.
        keyID: mock-key-id
        # The API key.
        keyValue: mock-key-value

        """#
}
