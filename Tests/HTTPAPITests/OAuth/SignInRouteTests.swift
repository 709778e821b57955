import HTTPTypes
import HummingbirdTesting
import Settings
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI

/// What of the sign-in page there is under which config.
struct SignInRouteTests {
    @Test func `the page's files are there without passkeys, and not where no page needs them`()
        async throws
    {
        for isEnabled in [true, false] {
            try await Harness.run {
                for name in ["passkeys", "yapt"] { $0.surfaces[name]?.enabled = false }
                $0.oauth.enabled = isEnabled
                $0.surfaces["bbms"]?.enabled = isEnabled
            } _: { harness in
                let file = "/assets/\(SiteAssets(in: .english).version)/authorize.js"
                let answer = try await harness.send(.get, file)
                #expect(answer.status == (isEnabled ? .ok : .notFound))
            }
        }
    }

    @Test func `every browser's page asks for its cookie, and no route of it takes a token`() async throws {
        try await SignInFixture.run { fixture in
            let page = fixture.api.signInPage
            #expect(page.routes.count == 18)
            for route in page.routes {
                #expect(route.access.needed == [.interactionCookie], "\(route.template)")
                #expect(route.access.tokens == nil && route.access.refreshTokens == nil, "\(route.template)")
            }
        }
    }
}
