import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Testing
import Wire

@testable import Assembly

extension MatrixCases {
    private static let login = "/auth/biometric-login"

    /// Logins, which belong to the client that started them.
    static let faceLogin: [MatrixCase] = [
        MatrixCase("POST \(login)/initiate", .nothing) { context in
            MatrixRequest("\(login)/initiate", json: #"{"email":"\#(context.person.email)"}"#)
        },
        MatrixCase("GET \(login)/poll/{operationId}", .inRequest(ofAccount: true)) { context in
            try await poll(context, json: nil)
        },
        MatrixCase("POST \(login)/poll/{operationId}", .inRequest(ofAccount: true)) { context in
            try await poll(context, json: "{}")
        },
        // Everybody with the id learns the state; the last event says to collect.
        MatrixCase("GET \(login)/events/{operationId}", .nothing) { context in
            let started = try await context.harness.start(context.person.email, isChallenged: true)
            return MatrixRequest("\(login)/events/\(started.id)")
        },
        MatrixCase("POST \(login)/ack/{operationId}", .access) { context in
            let (started, session) = try await collected(context)
            var request = MatrixRequest(started.ackPath, json: "{}")
            request.session = session
            return request
        }.about(.session),
        MatrixCase("POST \(login)/cancel/{operationId}", .inRequest(ofAccount: false)) { context in
            let started = try await context.harness.start(context.person.email, isChallenged: true)
            return MatrixRequest(started.cancelPath, context.isProved ? Harness.proof : [:], json: "{}")
        },
    ]

    /// An approved login; what it guards are the tokens.
    private static func poll(_ context: MatrixContext, json: String?) async throws -> MatrixRequest {
        let started = try await context.harness.start(context.person.email, isChallenged: true)
        try await context.harness.approve(started)
        var request = MatrixRequest(started.pollPath, context.isProved ? Harness.proof : [:], json: json)
        request.isGranted = { $0.text.contains("accessToken") }
        return request
    }

    private static func collected(_ context: MatrixContext) async throws -> (StartedLogin, MatrixSession) {
        let started = try await context.harness.start(context.person.email, isChallenged: true)
        try await context.harness.approve(started)
        let answer = try await context.harness.poll(started, Harness.proof)
        let tokens = try #require(try answer.decode(PollLoginResponse.self).tokens)
        return (started, try context.harness.matrixSession(tokens))
    }

    /// Pages, opened by the secret in their address.
    static let landing: [MatrixCase] =
        fetching("/go/{ticket}", .inRequest(ofAccount: false)) { context in
            MatrixRequest(try await landingPath(context))
        }
        + fetching("/go/{ticket}/return/{secret}", .inRequest(ofAccount: false)) { context in
            let (path, headers) = try await returning(context)
            return MatrixRequest(path, headers)
        }
        + [
            MatrixCase("POST /go/{ticket}", .inRequest(ofAccount: false)) { context in
                var request = MatrixRequest(try await landingPath(context), [.fetchSite: "same-origin"])
                request.isGranted = { $0.status == .seeOther }
                return request
            }.answered(303),
            // The stream of a scan that has ended.
            MatrixCase("GET /go/{ticket}/events", .inRequest(ofAccount: false)) { context in
                guard context.isProved else { return MatrixRequest("/go/\(MatrixContext.guess)/events") }
                let login = try await context.harness.start(context.person.email)
                let cookie = try #require(try await context.harness.open(login).cookie("vst_go"))
                try await context.harness.judge(.approved)
                return MatrixRequest(login.landingPath + "/events", .cookies(cookie))
            },
            MatrixCase("POST /go/{ticket}/passkey/options", .inRequest(ofAccount: false)) { context in
                MatrixRequest(try await landingPath(context) + "/passkey/options", [.fetchSite: "same-origin"])
            },
            // The ticket alone does nothing here: the passkey is needed as well.
            MatrixCase("POST /go/{ticket}/passkey", .inRequest(ofAccount: false)) { context in
                var request = try await confirmation(context)
                request.isGranted = { $0.status == .seeOther }
                return request
            }.answered(303),
            MatrixCase("POST /go/{ticket}/not-me", .inRequest(ofAccount: false)) { context in
                MatrixRequest(try await landingPath(context) + "/not-me", [.fetchSite: "same-origin"])
            },
            MatrixCase("POST /go/{ticket}/return/{secret}", .inRequest(ofAccount: false)) { context in
                let (path, cookies) = try await returning(context)
                var request = MatrixRequest(path, cookies.adding(.fetchSite, "same-origin"))
                request.isGranted = { $0.headers[.location] != nil }
                return request
            }.answered(303),
        ]

    private static func landingPath(_ context: MatrixContext) async throws -> String {
        guard context.isProved else { return "/go/\(MatrixContext.guess)" }
        return try await context.harness.start(context.person.email).landingPath
    }

    /// The passkey's answer to a login's page; one made at a page elsewhere where nothing is to be proven.
    private static func confirmation(_ context: MatrixContext) async throws -> MatrixRequest {
        let credential = try await addPasskey(context)
        let path = try await context.harness.start(context.person.email).landingPath
        let answer = try await context.harness.signed(path, credential, by: context.browser)
        var request = MatrixRequest(path + "/passkey", [.fetchSite: "same-origin"])
        request.headers[.contentType] = "application/x-www-form-urlencoded"
        request.body = "passkey=" + (answer.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        return request
    }

    /// The address to which the provider sends the browser of the scan, with that browser's cookie.
    private static func returning(_ context: MatrixContext) async throws -> (String, HTTPFields) {
        guard context.isProved else { return ("/go/\(MatrixContext.guess)/return/\(MatrixContext.guess)", [:]) }
        let harness = context.harness
        let body = #"{"email":"\#(context.person.email)","returnUrl":"\#(AuthorizationMatrixTests.returnURL)"}"#
        let answer = try await harness.post(Harness.initiatePath, body).decode(InitiateLoginResponse.self)
        let ticket = try #require(answer.authIdUrl.split(separator: "/").last)
        let opened = try await harness.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
        let cookie = try #require(opened.cookie("vst_go"))
        try await harness.judge(.approved)
        return (try harness.returnPath(), .cookies(cookie))
    }

    /// Operations that a signed-in person starts, sees and ends.
    static let signedIn: [MatrixCase] =
        [
            MatrixCase("GET /auth/operations", .access) { _ in MatrixRequest("/auth/operations") },
            MatrixCase("POST /auth/operations/{id}/not-me", .access) { context in
                let started = try await context.harness.start(context.person.email)
                let row = try context.harness.operation(started).id
                return MatrixRequest("/auth/operations/\(row)/not-me")
            }.about(.account),
            MatrixCase("POST /auth/biometric-enrollment/initiate", .access) { _ in MatrixRequest(Harness.enrolPath) },
            MatrixCase("GET /auth/biometric-enrollment/poll/{operationId}", .access) { context in
                MatrixRequest(try await enrolment(context).pollPath)
            }.about(.session),
            MatrixCase("GET /auth/biometric-enrollment/events/{operationId}", .access) { context in
                MatrixRequest("/auth/biometric-enrollment/events/\(try await enrolment(context).id)")
            }.about(.session),
            // The account counts, whatever id its app has kept.
            MatrixCase("GET /biometric/enrollment/status", .access) { context in
                MatrixRequest("/biometric/enrollment/status?enrollmentId=\(try await enrolment(context).id)")
            },
            // The app reads only the body of a 200.
            MatrixCase("POST /biometric/enroll", .access) { _ in
                var request = MatrixRequest("/biometric/enroll")
                request.isGranted = { $0.status == .ok && !$0.text.contains("step_up_required") }
                return request
            }.withoutFace.refusingStale(with: 200),
            MatrixCase("POST /auth/approvals/initiate", .access) { _ in
                MatrixRequest(Harness.approvalPath, json: Harness.payment)
            },
        ]
        + [approval("GET", "poll"), approval("GET", "events"), approval("POST", "cancel")]
        + [approval("POST", "ack", isGranted: true)]

    /// An approval that the person has asked for; `isGranted`: and given.
    private static func approval(_ method: String, _ verb: String, isGranted: Bool = false) -> MatrixCase {
        MatrixCase("\(method) /auth/approvals/\(verb)/{operationId}", .access) { context in
            let asked = try await context.harness.post(Harness.approvalPath, Harness.payment, context.bearer)
            let answer = try asked.decode(InitiateLoginResponse.self)
            if isGranted { try await grant(answer, context) }
            return MatrixRequest("/auth/approvals/\(verb)/\(answer.operationId)")
        }.about(.session)
    }

    private static func enrolment(_ context: MatrixContext) async throws -> StartedEnrolment {
        try context.harness.enrolment(try await context.harness.send(.post, Harness.enrolPath, context.bearer))
    }

    /// The person types the number and is scanned.
    private static func grant(_ asked: InitiateLoginResponse, _ context: MatrixContext) async throws {
        let ticket = try #require(asked.authIdUrl.split(separator: "/").last)
        let headers: HTTPFields = [.fetchSite: "same-origin", .contentType: "application/x-www-form-urlencoded"]
        let number = try #require(asked.number)
        let page = try await context.harness.send(.post, "/go/\(ticket)", headers, body: "number=\(number)")
        try #require(page.status == .seeOther, "\(page.text)")
        try await context.harness.judge(.approved)
    }
}
