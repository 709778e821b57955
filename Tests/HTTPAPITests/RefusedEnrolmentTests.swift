import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Logging
import MemoryStore
import Operations
import Settings
import Testing
import Web
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What the published app shows where no enrolment is started.
///
/// It says "Network error" whatever the body of another status than 200 is, so that a page is all that can be shown.
struct RefusedEnrolmentTests {
    @Test func `a sign-in that is too old is told on the page that the app opens`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            try await harness.unenrol("ada@example.com")
            await harness.pass(.seconds(601))
            let shown = try await Self.refused(harness, ada.bearer, "step_up_required", "sign-in-again")
            let text = try await harness.send(.get, "/go/sign-in-again").text
            #expect(text.contains("Sign in again first") && !text.contains("<form"))
            let asked = "/api/biometric/enrollment/status?enrollmentId=\(shown.enrollmentId)"
            try harness.expect(try await harness.send(.get, asked, ada.bearer), is: "operation_not_found", 404)
        }
    }

    @Test func `an address that is not proved is told on the page that the app opens`() async throws {
        try await Harness.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { harness in
            let eve = try await harness.register("eve@example.com").decode(SignInResponse.self)
            let bearer = HTTPFields.bearing(eve.accessToken)
            _ = try await Self.refused(harness, bearer, "email_not_verified", "address-first")
            #expect(try await harness.send(.get, "/go/address-first").text.contains("your e-mail address"))
            // Clients that read other statuses are told as ever.
            try harness.expect(try await harness.send(.post, Harness.enrolPath, bearer), is: "email_not_verified", 403)
        }
    }

    @Test func `a limit is told on the page that the app opens, with the time to come back`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            try await harness.unenrol("ada@example.com")
            for _ in 0..<15 {
                let answer = try await harness.send(.post, "/biometric/enroll", ada.bearer)
                #expect(try answer.decode(EnrollResponse.self).enrollment.status == "pending")
            }
            _ = try await Self.refused(harness, ada.bearer, "rate_limited", "try-later", retryAfter: "60")
            try harness.expect(try await harness.send(.post, Harness.enrolPath, ada.bearer), is: "rate_limited", 429)
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `a store that can't be asked is told on the page that the app opens, and its cause in the log`(
        _ storage: HarnessStorage
    )
        async throws
    {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.signIn()
            try await harness.unenrol("ada@example.com")
            try harness.composition.stores.upkeep.close()
            _ = try await Self.refused(harness, ada.bearer, "store_unavailable", "try-later", retryAfter: "5")
            #expect(harness.log.lines.contains { $0.level == .error && $0.message == "a request failed" })
            #expect(try await harness.send(.get, "/go/try-later").text.contains("try again in the app"))
        }
    }

    @Test func `attack: the published enrolment route answers 401 without a valid token`() async throws {
        try await Harness.run { harness in
            for headers in [HTTPFields(), .bearing("nonsense")] {
                try harness.expect(try await harness.send(.post, "/biometric/enroll", headers), is: "unauthorized", 401)
            }
        }
    }

    @Test func `every notice page of the published app is served to GET and HEAD in every language`() async throws {
        try await Harness.run { harness in
            for notice in LandingPages.Notice.allCases {
                for texts in LocalizedStrings.builtIn {
                    let page = try await harness.send(
                        .get,
                        "/go/\(notice.rawValue)",
                        [.acceptLanguage: texts.language]
                    )
                    #expect(page.status == .ok && page.headers[.contentLanguage] == texts.language)
                    #expect(page.text.contains(texts.page(notice.page).title))
                }
                #expect(try await harness.send(.head, "/go/\(notice.rawValue)").status == .ok)
            }
        }
    }

    /// Asks as the app does, and checks what it makes of the answer.
    private static func refused(
        _ harness: Harness,
        _ bearer: HTTPFields,
        _ code: String,
        _ page: String,
        retryAfter: String? = nil
    ) async throws -> PublishedApps.FaceLoginEnrolment.Enrolment {
        let count = harness.composition.service.cache.count
        let answer = try await harness.post("/api/biometric/enroll", "{}", bearer)
        #expect(answer.status == .ok && answer.headers[.retryAfter] == retryAfter, "\(answer.text)")
        let body = try answer.json()
        #expect(body["code"] as? String == code && body["error"] as? String == body["message"] as? String)
        let shown = try PublishedApps.faceLogin.decode(PublishedApps.FaceLoginEnrolment.self, from: answer.text)
        #expect(shown.alreadyEnrolled == false && shown.enrollment.status == "failed")
        #expect(shown.enrollment.enrollmentUrl == "\(harness.settings.publicURL)/go/\(page)")
        #expect(shown.enrollment.qrCode == shown.enrollment.enrollmentUrl)
        #expect(harness.composition.service.cache.count == count, "nothing was started")
        return shown.enrollment
    }
}
