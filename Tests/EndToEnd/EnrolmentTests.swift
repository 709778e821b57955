import Foundation
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// A face is enrolled through the real programs.
    @Suite struct Enrolling {
        @Test(arguments: ["accept", "reject_liveness"])
        func `a signed-in person enrols, and the provider's result counts`(_ outcome: String) async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let app = fixture.app
                let login = try await app.begin("ada@example.com")
                try await fixture.mock.decide("ada@example.com", "accept")
                let token = try #require(try await app.follow(login).accessToken)
                let bearer = ["Authorization": "Bearer \(token)"]
                let started = try await fixture.web.send(
                    .post,
                    fixture.daemon.url + "/api/auth/biometric-enrollment/initiate",
                    bearer
                )
                #expect(started.status == 200, "\(started)")
                let answer = try started.json(InitiateLoginResponse.self)
                let page = try #require(URL(string: answer.authIdUrl)?.path())
                #expect(try await fixture.web.send(.post, fixture.daemon.url + page).status == 303)
                try await fixture.mock.decide("ada@example.com", outcome)
                let end = try await eventually("an end of the enrolment", within: .seconds(90)) {
                    let poll = fixture.daemon.url + "/auth/biometric-enrollment/poll/\(answer.operationId)?wait=20"
                    let reply = try await fixture.web.send(.get, poll, bearer, within: .seconds(40))
                    let view = try reply.json(PollLoginResponse.self)
                    return view.status == .pending ? nil : view
                }
                #expect(end.status == (outcome == "accept" ? .completed : .failed), "\(end)")
                #expect(end.code == (outcome == "accept" ? nil : "liveness_failed"))
                #expect(end.tokens == nil)
                let calls = try await fixture.mock.calls()
                let operations = calls.filter { $0.key.lowercased().contains("operation") }
                #expect(operations.count == 3, "create, status and result: \(calls)")
            }
        }

        @Test func `attack: an enrolment of a session that signed out before a kill answers 401 after the restart`()
            async throws
        {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.mock.decide("ada@example.com", "accept")
                let token = try #require(try await fixture.app.follow(login).accessToken)
                let bearer = ["Authorization": "Bearer \(token)"]
                let initiate = fixture.daemon.url + "/auth/biometric-enrollment/initiate"
                let answer = try await fixture.web.send(.post, initiate, bearer).json(InitiateLoginResponse.self)
                let poll = "/auth/biometric-enrollment/poll/\(answer.operationId)"
                #expect(try await fixture.web.send(.get, fixture.daemon.url + poll, bearer).status == 200)
                #expect(try await fixture.web.send(.post, fixture.daemon.url + "/auth/logout", bearer).status == 200)
                await fixture.daemon.destroy()
                try await fixture.daemon.start()
                #expect(try await fixture.web.send(.get, fixture.daemon.url + poll, bearer).status == 401)
            }
        }

        @Test func `an enrolment continues after a kill, and its events report its end`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.mock.decide("ada@example.com", "accept")
                let token = try #require(try await fixture.app.follow(login).accessToken)
                let bearer = ["Authorization": "Bearer \(token)"]
                let initiate = fixture.daemon.url + "/auth/biometric-enrollment/initiate"
                let answer = try await fixture.web.send(.post, initiate, bearer).json(InitiateLoginResponse.self)
                let page = try #require(URL(string: answer.authIdUrl)?.path())
                #expect(try await fixture.web.send(.post, fixture.daemon.url + page).status == 303)
                await fixture.daemon.destroy()
                try await fixture.mock.decide("ada@example.com", "accept")
                try await fixture.daemon.start()
                let events = fixture.daemon.url + "/auth/biometric-enrollment/events/\(answer.operationId)"
                let stream = try await fixture.web.send(.get, events, bearer, within: .seconds(40))
                #expect(stream.text.contains(#""status":"completed"}"#), "\(stream)")
                let status = fixture.daemon.url + "/api/biometric/enrollment/status?enrollmentId=\(answer.operationId)"
                let shown = try await fixture.web.send(.get, status, bearer).json(EnrollmentStatusResponse.self)
                #expect(shown.enrollment.completed && !shown.enrollment.createdAt.hasPrefix("1970"))
            }
        }
    }
}
