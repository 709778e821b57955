import Accounts
import Audit
import Devices
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Settings
import Testing
import TokenReading
import Tokens
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What the published app asks before it shows its login button.
struct PublishedEnrolmentTests {
    private static let all: Set<String> = ["enrollmentId", "status", "progress", "completed", "createdAt", "expiresAt"]

    @Test(arguments: ["", "/api"])
    func `the app enrols, asks every three seconds, and shows its button`(_ prefix: String) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            try await harness.unenrol("ada@example.com")
            let answer = try await harness.post(prefix + "/biometric/enroll", "{}", ada.bearer)
            let begun = try answer.decode(EnrollResponse.self)
            #expect(!begun.alreadyEnrolled && !begun.message.isEmpty && begun.enrollment.authUrl != nil)
            #expect(begun.enrollment.authUrl == begun.enrollment.authIdUrl)
            // The app opens the one, and draws its code from the other.
            let shown = try PublishedApps.faceLogin.decode(PublishedApps.FaceLoginEnrolment.self, from: answer.text)
            let page = try #require(begun.enrollment.authUrl)
            #expect(page.hasPrefix("\(harness.settings.publicURL)/go/"), "never the provider's")
            #expect(shown.enrollment.enrollmentUrl == page && shown.enrollment.qrCode == page)
            let id = begun.enrollment.enrollmentId

            var seen = [try await harness.enrolmentStatus(id, ada, prefix)]
            let started = StartedEnrolment(
                id: id,
                ticket: try #require(begun.enrollment.authUrl?.split(separator: "/").last)
            )
            try await harness.openEnrolment(started)
            seen.append(try await harness.enrolmentStatus(id, ada, prefix))
            try await harness.judge(.approved)
            seen.append(try await harness.enrolmentStatus(id, ada, prefix))
            #expect(seen.map(\.status) == ["pending", "pending", "completed"])
            #expect(seen.map(\.progress) == [0, 50, 100])
            #expect(seen.map(\.completed) == [false, false, true])
            #expect(seen.map(\.enrollmentId) == [id, id, id])
            let odd = seen.flatMap { [$0.createdAt, $0.expiresAt] }.filter {
                $0.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) == nil
            }
            #expect(odd.isEmpty, "no fractions")
        }
    }

    @Test func `asking after an enrolment counts as waiting for it`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.startEnrolment(ada)
            try await harness.openEnrolment(started)
            harness.provider.answer(try #require(harness.provider.newest), .approved)
            await harness.pass(.seconds(1))
            #expect(try await harness.enrolmentStatus(started.id, ada).status == "pending", "nobody was waiting so far")
            await harness.pass(.seconds(1))
            #expect(try await harness.enrolmentStatus(started.id, ada).status == "completed")
        }
    }

    @Test func `one decoder of the app needs all six members, in every state`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let path = "/biometric/enrollment/status?enrollmentId="
            for id in ["", "anything", UUIDBits(high: 1, low: 2).description] {
                let body = try await harness.send(.get, path + id, ada.bearer).json()
                #expect(Set(try #require(body["enrollment"] as? [String: Any]).keys) == Self.all, "\(id)")
            }
            try await harness.unenrol("ada@example.com")
            let begun = try await harness.post("/biometric/enroll", "", ada.bearer).decode(EnrollResponse.self)
            let body = try await harness.send(.get, path + begun.enrollment.enrollmentId, ada.bearer).json()
            #expect(Set(try #require(body["enrollment"] as? [String: Any]).keys) == Self.all)
        }
    }

    @Test func `an account that is enrolled is told so, however old its sign-in, and nothing is started`() async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            await harness.pass(.seconds(1200))
            let count = harness.composition.service.cache.count
            let answer = try await harness.post("/biometric/enroll", "{}", ada.bearer).decode(EnrollResponse.self)
            #expect(answer.alreadyEnrolled && answer.enrollment.completed)
            #expect(answer.enrollment.authUrl == nil)
            #expect(harness.composition.service.cache.count == count)
            #expect(try await harness.enrolmentStatus(answer.enrollment.enrollmentId, ada).completed)
        }
    }

    @Test func `the times of an enrolment that is complete are real ones`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let added = try await harness.composition.accounts.show("ada@example.com").account.createdAt
            let before = try await harness.enrolmentStatus("", ada)
            #expect(try Date(before.createdAt, strategy: .iso8601).timeIntervalSince1970 == Double(added.seconds))
            await harness.pass(.seconds(30))
            let started = try await harness.startEnrolment(ada)
            try await harness.openEnrolment(started)
            try await harness.judge(.approved)
            let after = try await harness.enrolmentStatus(started.id, ada)
            let ended = try #require(try harness.operation(started).state.endedAt)
            #expect(try Date(after.createdAt, strategy: .iso8601).timeIntervalSince1970 == Double(ended.seconds))
            #expect(after.createdAt < after.expiresAt && ended > added)
        }
    }

    // T-099, T-134
    @Test func `attack: the published enrolment routes refuse an old token and another account's enrolment`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let bob = try await harness.signIn("bob@example.com")
            for email in ["ada@example.com", "bob@example.com"] { try await harness.unenrol(email) }
            let begun = try await harness.post("/biometric/enroll", "{}", ada.bearer).decode(EnrollResponse.self)
            let path = "/biometric/enrollment/status?enrollmentId=\(begun.enrollment.enrollmentId)"
            try harness.expect(try await harness.send(.get, path, bob.bearer), is: "operation_not_found", 404)
            try harness.expect(try await harness.send(.get, path), is: "unauthorized", 401)
            await harness.pass(.seconds(601))
            let count = harness.composition.service.cache.count
            let late = try await harness.post("/biometric/enroll", "{}", bob.bearer).json()
            #expect(late["code"] as? String == "step_up_required")
            #expect(harness.composition.service.cache.count <= count, "nothing was started")
            let initiated = try await harness.post(Harness.enrolPath, "{}", bob.bearer)
            try harness.expect(initiated, is: "step_up_required", 403)
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `an enrolment under way is asked after without the store`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.signIn()
            let started = try await harness.startEnrolment(ada)
            try harness.composition.stores.upkeep.close()
            #expect(try await harness.enrolmentStatus(started.id, ada).status == "pending")
            #expect(try await harness.enrolmentWord(started, ada) == "created")
        }
    }
}
