import HTTPTypes
import HummingbirdTesting
import MemoryStore
import Settings
import Testing
import Wallet

@testable import Assembly
@testable import HTTPAPI

/// What a person reads who is back from a bank.
struct EnrollmentPageTests {
    // T-034, T-038
    @Test func `a hostile name of a bank arrives in the app as it is written`() async throws {
        try await Harness.run {
            $0.banks["eb"]?.name = "Bank & Söhne?success=false#\"<b>"
        } _: { harness in
            let ada = try await harness.phone()
            let back = try await harness.comeBack(try await harness.startInApp(ada))
            #expect(back.appOutcome?["bankName"] == "Bank & Söhne?success=false#\"<b>")
            #expect(back.appOutcome?["success"] == "true")
            let location = try #require(back.headers[.location])
            #expect(!location.contains("\"") && !location.contains("<") && !location.contains("#"))
        }
    }

    // T-038
    @Test func `the page comes in the visitor's language, and without a script`() async throws {
        try await Harness.run { harness in
            let french: HTTPFields = [.acceptLanguage: "fr-CA, fr;q=0.9, en;q=0.5"]
            let page = try await harness.send(.get, "\(Harness.enrollment)/callback/eb?state=x&code=c", french)
            #expect(
                page.text.contains("<h1>Ce lien ne peut pas être utilisé ici</h1>")
                    && page.headers[.contentLanguage] == "fr"
            )
            #expect(!page.text.contains("<script"))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && !policy.contains("script-src"))
        }
    }
}
