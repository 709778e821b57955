import Kernel
import Testing

@testable import OAuth

/// Tests the logout requests of clients.
struct CheckedLogoutTests {
    private static let ada = AccountID(UUIDBits(high: 1, low: 1))
    private static let bob = AccountID(UUIDBits(high: 1, low: 2))
    private static let address = "https://app.example.com/bye?x=1"

    private static func client(_ id: String) -> OAuthClient? {
        guard ["app", "gone"].contains(id) else { return nil }
        return OAuthClient(
            id: id,
            name: id,
            origin: .added,
            isEnabled: id == "app",
            authentication: .none,
            access: OAuthClient.Access(grants: [.authorizationCode], scopes: ScopeSet([]), audience: id),
            authorization: OAuthClient.AuthorizationRules(postLogoutRedirectURIs: [address])
        )
    }

    private static func order(
        _ clientID: String?,
        _ address: String? = nil,
        state: String? = nil,
        hint: String? = nil
    ) throws -> CheckedLogout {
        try CheckedLogout(
            LogoutRequest(clientID: clientID, redirectURI: address, state: state),
            hint: hint.map { CheckedLogout.Hint(account: ada, clientID: $0, session: SessionID(ada.bits)) },
            client: client
        )
    }

    @Test func `the browser goes to the registered address, with the state escaped behind its query`() throws {
        let order = try Self.order(nil, Self.address, state: "a b&c=ü", hint: "app")
        #expect(order.destination == Self.address + "&state=a%20b%26c%3D%C3%BC")
        #expect(try Self.order("app", Self.address).destination == Self.address)
        #expect(try Self.order("app", nil, state: "x").destination == nil)
    }

    @Test(
        arguments: [
            ("app", "https://app.example.com/bye", nil), (nil, CheckedLogoutTests.address, nil),
            ("gone", CheckedLogoutTests.address, nil),
            ("nobody", nil, nil), ("app", nil, "gone"), ("app", "https://app.example.com/bye?x=1#", nil),
        ] as [(String?, String?, String?)]
    )
    func `attack: logout refuses unregistered addresses and unknown, disabled or other clients`(
        _ client: String?,
        _ address: String?,
        _ hint: String?
    ) {
        let error = #expect(throws: OAuthError.self) { try Self.order(client, address, hint: hint) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `logout asks unless the hint names the signed-in account or nobody is signed in`() throws {
        let (hinted, bare) = (try Self.order(nil, hint: "app"), try Self.order("app"))
        #expect(hinted.isCertain(signedIn: Self.ada) && hinted.isCertain(signedIn: nil))
        #expect(!hinted.isCertain(signedIn: Self.bob))
        #expect(!bare.isCertain(signedIn: Self.ada) && bare.isCertain(signedIn: nil))
    }

    @Test func `the request is carried over the question`() {
        let request = LogoutRequest(clientID: "app", redirectURI: Self.address, state: "a b")
        let expected = "client_id=app&post_logout_redirect_uri=https%3A%2F%2Fapp.example.com%2Fbye%3Fx%3D1&state=a%20b"
        #expect(request.query == expected)
        #expect(LogoutRequest(clientID: nil, redirectURI: nil, state: nil).query.isEmpty)
    }
}
