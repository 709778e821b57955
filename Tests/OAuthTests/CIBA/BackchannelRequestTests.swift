import Crypto
import Kernel
import Testing

@testable import OAuth

/// Tests the validity of backchannel authentication requests (CIBA Core §7.1, §7.2).
struct BackchannelRequestTests {
    private let harness = BackchannelHarness()
    private static let good = ["scope": "openid", "login_hint": "a@example.com"]

    private static func good(_ changes: [String: String?]) -> [String: String] {
        changes.reduce(into: good) { $0[$1.key] = $1.value }
    }

    @Test func `a request is read as it was meant`() throws {
        let request = try harness.read(
            Self.good([
                "scope": "openid payments", "binding_message": "W4SCT", "requested_expiry": "61",
                "acr_values": "gold face passkey",
            ]),
            resources: ["https://api.example.com/"]
        )
        #expect(request.access.clientID == "bank")
        #expect(request.access.scopes.text == "openid payments")
        #expect(request.access.resources == ["https://api.example.com/"])
        #expect(request.hint == .email("a@example.com"))
        #expect(request.bindingMessage?.text == "W4SCT")
        #expect(request.contextClass == .face)
        #expect(request.notificationToken == nil)
        #expect(request.lifetime == .seconds(90), "rounded up to half a minute")
    }

    @Test(
        arguments: [
            (nil, 180), ("1", 30), ("30", 30), ("31", 60), ("600", 600), ("601", 600), ("999999999", 600),
        ] as [(String?, Int64)]
    )
    func `the lifetime that is asked for is kept within bounds`(asked: String?, granted: Int64) throws {
        #expect(try harness.read(Self.good(["requested_expiry": asked])).lifetime == .seconds(granted))
    }

    @Test(arguments: ["0", "-1", "1.5", "1e3", "", " 5", "0x10", "٣", "9999999999"])
    func `a lifetime that is not a number of seconds is refused`(text: String) {
        #expect(harness.refusal(Self.good(["requested_expiry": text])) == .invalidRequest)
    }

    @Test(arguments: [
        ("profile", OAuthErrorCode.invalidScope), ("openid admin", .invalidScope), ("", .invalidScope),
        ("openid \"x\"", .invalidScope),
    ])
    func `the scope has to have openid, and no more than the client may have`(text: String, code: OAuthErrorCode) {
        #expect(harness.refusal(Self.good(["scope": text])) == code)
    }

    /// CIBA Core §13: `invalid_request` for a parameter that is missing.
    @Test func `a request without a scope is refused`() {
        #expect(harness.refusal(Self.good(["scope": nil])) == .invalidRequest)
    }

    @Test func `a resource has to be one of the client's`() {
        #expect(harness.refusal(Self.good, resources: ["https://evil.example.com/"]) == .invalidTarget)
        #expect(
            harness.refusal(Self.good, resources: ["https://api.example.com/", "https://api.example.com/"])
                == .invalidTarget
        )
    }

    // O-093
    @Test func `exactly one hint says who is meant`() throws {
        let hints = ["login_hint": "a@example.com", "id_token_hint": "ours-for-bank", "login_hint_token": "x.y.z"]
        #expect(harness.refusal(["scope": "openid"]) == .invalidRequest)
        for left in hints.keys {
            var two = hints
            two[left] = nil
            two["scope"] = "openid"
            #expect(harness.refusal(two) == .invalidRequest, "without \(left)")
        }
        #expect(harness.refusal(hints.merging(["scope": "openid"]) { $1 }) == .invalidRequest)
        let known = try harness.read(["scope": "openid", "id_token_hint": "ours-for-bank"])
        #expect(known.hint == .account(BackchannelHarness.account))
    }

    // O-093
    @Test func `attack: another client's id token as id_token_hint gets invalid_request`() {
        let values = ["scope": "openid", "id_token_hint": "ours-for-bank"]
        #expect(harness.refusal(values, of: harness.client("shop")) == .invalidRequest)
        #expect(harness.refusal(["scope": "openid", "id_token_hint": "made.up.token"]) == .invalidRequest)
    }

    @Test(arguments: ["", "a\u{0}@example.com", "a\n@example.com", String(repeating: "a", count: 321)])
    func `a hint that can be nobody's address is refused`(text: String) {
        #expect(harness.refusal(Self.good(["login_hint": text])) == .invalidRequest)
    }

    // T-137, O-095
    @Test(arguments: [
        "", " ", "two\nlines", "hidden\u{200B}space", "turned \u{202E}around", "tab\there", " led by a space",
        "two  spaces", "nul\u{0}", String(repeating: "x", count: 101), "soft\u{AD}hyphen", "tag\u{E0041}",
    ])
    func `attack: a binding message with misleading characters gets invalid_binding_message`(text: String) {
        #expect(harness.refusal(Self.good(["binding_message": text])) == .invalidBindingMessage)
    }

    @Test(arguments: ["W4SCT", "Överföring 12,50 € till Åsa", "تحويل 5", String(repeating: "x", count: 100)])
    func `a binding message in any language is accepted`(text: String) throws {
        #expect(try harness.read(Self.good(["binding_message": text])).bindingMessage?.text == text)
    }

    @Test func `a user code is refused, and a reference to a request`() {
        #expect(harness.refusal(Self.good(["user_code": "1234"])) == .invalidRequest)
        #expect(harness.refusal(Self.good(["request_uri": "https://bank.example.com/r"])) == .requestURINotSupported)
    }

    // O-092
    @Test func `attack: a backchannel request of a public client or one without the grant is refused`() {
        let clients = [
            harness.client(method: .none), harness.client(grants: [.authorizationCode]),
            AuthenticatedClient(
                client: OAuthClient(
                    id: "web",
                    name: "Web",
                    origin: .config,
                    authentication: .secret([]),
                    access: OAuthClient.Access(grants: [.ciba], scopes: ScopeSet(["openid"]), audience: "web")
                ),
                method: .secretBasic
            ),
        ]
        for client in clients { #expect(harness.refusal(Self.good, of: client) == .unauthorizedClient) }
    }

    // O-102
    @Test(arguments: [OAuthClient.Backchannel.Delivery.ping, .push])
    func `a client that is sent notices has to say what it knows them by`(
        delivery: OAuthClient.Backchannel.Delivery
    ) throws {
        let client = harness.client(delivery: delivery)
        let token = "8d67dc78-7faa-4d41-aabd-67707b374255"
        let taken = try harness.read(Self.good(["client_notification_token": token]), of: client)
        #expect(taken.notificationToken == Secret(token))
        let refused: [String?] = [
            nil, "short", String(repeating: "a", count: 64), String(repeating: "ab1", count: 342),
            "with space 0123456789abcdef",
            "line\r\nX-Evil: 0123456789abcdef", "==", "0123456789abcdef=01234567", "ünïcode-0123456789abcdefgh",
        ]
        for text in refused {
            #expect(
                harness.refusal(Self.good(["client_notification_token": text]), of: client) == .invalidRequest,
                "\(text ?? "none")"
            )
        }
    }

    @Test func `a client that polls needs no token, and one that it sends is not kept`() throws {
        #expect(try harness.read(Self.good(["client_notification_token": "short"])).notificationToken == nil)
    }
}
