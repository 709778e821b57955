import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Testing
import Wire

@testable import Vestibule

extension MatrixCases {
    private static let login = "/auth/biometric-login"

    /// Logins, which belong to the client that started them.
    static let faceLogin: [MatrixCase] = [
        MatrixCase("POST \(login)/initiate", .nothing) { visit in
            MatrixRequest("\(login)/initiate", json: #"{"email":"\#(visit.person.email)"}"#)
        },
        MatrixCase("GET \(login)/poll/{operationId}", .inRequest(ofAccount: true)) { visit in
            try await poll(visit, json: nil)
        },
        MatrixCase("POST \(login)/poll/{operationId}", .inRequest(ofAccount: true)) { visit in
            try await poll(visit, json: "{}")
        },
        // Everybody with the id learns the state; the last event says to collect.
        MatrixCase("GET \(login)/events/{operationId}", .nothing) { visit in
            let started = try await visit.bench.start(visit.person.email, isChallenged: true)
            return MatrixRequest("\(login)/events/\(started.id)")
        },
        MatrixCase("POST \(login)/ack/{operationId}", .access) { visit in
            let (started, session) = try await collected(visit)
            var request = MatrixRequest(started.ackPath, json: "{}")
            request.session = session
            return request
        }.about(.session),
        MatrixCase("POST \(login)/cancel/{operationId}", .inRequest(ofAccount: false)) { visit in
            let started = try await visit.bench.start(visit.person.email, isChallenged: true)
            return MatrixRequest(started.cancelPath, visit.isProved ? Bench.proof : [:], json: "{}")
        },
    ]

    /// An approved login; what it guards are the tokens.
    private static func poll(_ visit: MatrixVisit, json: String?) async throws -> MatrixRequest {
        let started = try await visit.bench.start(visit.person.email, isChallenged: true)
        try await visit.bench.approve(started)
        var request = MatrixRequest(started.pollPath, visit.isProved ? Bench.proof : [:], json: json)
        request.isGranted = { $0.text.contains("accessToken") }
        return request
    }

    private static func collected(_ visit: MatrixVisit) async throws -> (StartedLogin, MatrixSession) {
        let started = try await visit.bench.start(visit.person.email, isChallenged: true)
        try await visit.bench.approve(started)
        let answer = try await visit.bench.poll(started, Bench.proof)
        let tokens = try #require(try answer.decode(PollLoginResponse.self).tokens)
        return (started, try visit.bench.matrixSession(tokens))
    }

    /// Pages, opened by the secret in their address.
    static let landing: [MatrixCase] =
        fetching("/go/{ticket}", .inRequest(ofAccount: false)) { visit in
            MatrixRequest(try await landingPath(visit))
        }
        + fetching("/go/{ticket}/return/{secret}", .inRequest(ofAccount: false)) { visit in
            let (path, headers) = try await returning(visit)
            return MatrixRequest(path, headers)
        }
        + [
            MatrixCase("POST /go/{ticket}", .inRequest(ofAccount: false)) { visit in
                var request = MatrixRequest(try await landingPath(visit), [.fetchSite: "same-origin"])
                request.isGranted = { $0.status == .seeOther }
                return request
            }.answered(303),
            MatrixCase("POST /go/{ticket}/passkey/options", .inRequest(ofAccount: false)) { visit in
                MatrixRequest(try await landingPath(visit) + "/passkey/options", [.fetchSite: "same-origin"])
            },
            // The ticket alone does nothing here: the passkey is needed as well.
            MatrixCase("POST /go/{ticket}/passkey", .inRequest(ofAccount: false)) { visit in
                var request = try await confirmation(visit)
                request.isGranted = { $0.status == .seeOther }
                return request
            }.answered(303),
            MatrixCase("POST /go/{ticket}/not-me", .inRequest(ofAccount: false)) { visit in
                MatrixRequest(try await landingPath(visit) + "/not-me", [.fetchSite: "same-origin"])
            },
            MatrixCase("POST /go/{ticket}/return/{secret}", .inRequest(ofAccount: false)) { visit in
                let (path, cookies) = try await returning(visit)
                var request = MatrixRequest(path, cookies.adding(.fetchSite, "same-origin"))
                request.isGranted = { $0.headers[.location] != nil }
                return request
            }.answered(303),
        ]

    private static func landingPath(_ visit: MatrixVisit) async throws -> String {
        guard visit.isProved else { return "/go/\(MatrixVisit.guess)" }
        return try await visit.bench.start(visit.person.email).landingPath
    }

    /// The passkey's answer to a login's page; one made at a page elsewhere where nothing is to be proven.
    private static func confirmation(_ visit: MatrixVisit) async throws -> MatrixRequest {
        let credential = try await addPasskey(visit)
        let path = try await visit.bench.start(visit.person.email).landingPath
        let answer = try await visit.bench.signed(path, credential, by: visit.browser)
        var request = MatrixRequest(path + "/passkey", [.fetchSite: "same-origin"])
        request.headers[.contentType] = "application/x-www-form-urlencoded"
        request.body = "passkey=" + (answer.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        return request
    }

    /// The address to which the provider sends the browser of the scan, with that browser's cookie.
    private static func returning(_ visit: MatrixVisit) async throws -> (String, HTTPFields) {
        guard visit.isProved else { return ("/go/\(MatrixVisit.guess)/return/\(MatrixVisit.guess)", [:]) }
        let bench = visit.bench
        let body = #"{"email":"\#(visit.person.email)","returnUrl":"\#(AuthorizationMatrixTests.returnURL)"}"#
        let answer = try await bench.post(Bench.initiatePath, body).decode(InitiateLoginResponse.self)
        let ticket = try #require(answer.authIdUrl.split(separator: "/").last)
        let opened = try await bench.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
        let cookie = try #require(opened.cookie("vst_go"))
        try await bench.judge(.approved)
        return (try bench.returnPath(), .cookies(cookie))
    }

    /// Operations that a signed-in person starts, sees and ends.
    static let signedIn: [MatrixCase] =
        [
            MatrixCase("GET /auth/operations", .access) { _ in MatrixRequest("/auth/operations") },
            MatrixCase("POST /auth/operations/{id}/not-me", .access) { visit in
                let started = try await visit.bench.start(visit.person.email)
                let row = try visit.bench.operation(started).id
                return MatrixRequest("/auth/operations/\(row)/not-me")
            }.about(.account),
            MatrixCase("POST /auth/biometric-enrollment/initiate", .access) { _ in MatrixRequest(Bench.enrolPath) },
            MatrixCase("GET /auth/biometric-enrollment/poll/{operationId}", .access) { visit in
                MatrixRequest(try await enrolment(visit).pollPath)
            }.about(.session),
            MatrixCase("GET /auth/biometric-enrollment/events/{operationId}", .access) { visit in
                MatrixRequest("/auth/biometric-enrollment/events/\(try await enrolment(visit).id)")
            }.about(.session),
            // The account counts, whatever id its app has kept.
            MatrixCase("GET /biometric/enrollment/status", .access) { visit in
                MatrixRequest("/biometric/enrollment/status?enrollmentId=\(try await enrolment(visit).id)")
            },
            // The app reads only the body of a 200.
            MatrixCase("POST /biometric/enroll", .access) { _ in
                var request = MatrixRequest("/biometric/enroll")
                request.isGranted = { $0.status == .ok && !$0.text.contains("step_up_required") }
                return request
            }.withoutFace.refusingStale(with: 200),
            MatrixCase("POST /auth/approvals/initiate", .access) { _ in
                MatrixRequest(Bench.approvalPath, json: Bench.payment)
            },
        ]
        + [approval("GET", "poll"), approval("GET", "events"), approval("POST", "cancel")]
        + [approval("POST", "ack", isGranted: true)]

    /// An approval that the person has asked for; `isGranted`: and given.
    private static func approval(_ method: String, _ verb: String, isGranted: Bool = false) -> MatrixCase {
        MatrixCase("\(method) /auth/approvals/\(verb)/{operationId}", .access) { visit in
            let asked = try await visit.bench.post(Bench.approvalPath, Bench.payment, visit.bearer)
            let answer = try asked.decode(InitiateLoginResponse.self)
            if isGranted { try await grant(answer, visit) }
            return MatrixRequest("/auth/approvals/\(verb)/\(answer.operationId)")
        }.about(.session)
    }

    private static func enrolment(_ visit: MatrixVisit) async throws -> StartedEnrolment {
        try visit.bench.enrolment(try await visit.bench.send(.post, Bench.enrolPath, visit.bearer))
    }

    /// The person types the number and is scanned.
    private static func grant(_ asked: InitiateLoginResponse, _ visit: MatrixVisit) async throws {
        let ticket = try #require(asked.authIdUrl.split(separator: "/").last)
        let headers: HTTPFields = [.fetchSite: "same-origin", .contentType: "application/x-www-form-urlencoded"]
        let number = try #require(asked.number)
        let page = try await visit.bench.send(.post, "/go/\(ticket)", headers, body: "number=\(number)")
        try #require(page.status == .seeOther, "\(page.text)")
        try await visit.bench.judge(.approved)
    }
}
