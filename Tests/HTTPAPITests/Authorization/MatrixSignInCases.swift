import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import SoftwareAuthenticator
import Testing

@testable import HTTPAPI
@testable import Vestibule

extension MatrixCases {
    private static let signInPage = "/oauth/sign-in/{id}"

    /// The sign-in page of a client's request, opened by the cookie of the browser that came with it.
    static let signInPages: [MatrixCase] = [
        MatrixCase("GET \(signInPage)", .inRequest(ofAccount: false)) { visit in
            let (path, headers) = try await sentBrowser(visit)
            return MatrixRequest(path, headers)
        },
        MatrixCase("POST \(signInPage)/face", .inRequest(ofAccount: false)) { visit in
            try await form(visit, "/face", "email=\(visit.person.email.replacing("@", with: "%40"))")
        }.answered(303),
        MatrixCase("GET \(signInPage)/wait", .inRequest(ofAccount: false)) { visit in
            let (path, headers) = try await scanned(visit)
            return MatrixRequest(path + "/wait", headers)
        }.answered(303),
        MatrixCase("GET \(signInPage)/events", .inRequest(ofAccount: false)) { visit in
            let (path, headers) = try await scanned(visit)
            return MatrixRequest(path + "/events", headers)
        },
        MatrixCase("POST \(signInPage)/passkey/options", .inRequest(ofAccount: false)) { visit in
            try await form(visit, "/passkey/options", "")
        },
        MatrixCase("POST \(signInPage)/passkey", .inRequest(ofAccount: true)) { visit in
            let credential = try await addPasskey(visit)
            let (path, headers) = try await sentBrowser(visit, isOwn: true)
            let options = try await visit.bench.send(.post, path + "/passkey/options", headers)
            let answer = try visit.browser.get(options.text, with: credential)
            return MatrixRequest(path + "/passkey", headers, json: answer)
        },
        MatrixCase("POST \(signInPage)/consent", .inRequest(ofAccount: false)) { visit in
            try await form(visit, "/consent", "")
        },
        MatrixCase("POST \(signInPage)/cancel", .inRequest(ofAccount: false)) { visit in
            try await form(visit, "/cancel", "")
        },
    ]

    /// The page of the published app's request, with its browser's cookie; `isOwn`: also for callers without any other
    /// proof.
    private static func sentBrowser(_ visit: MatrixVisit, isOwn: Bool = false) async throws -> (String, HTTPFields) {
        let query = "response_type=code&client_id=myvoo&redirect_uri=myapp.scheme.demo%3A%2F%2Fcode_callback&state=x"
        let sent = try await visit.bench.send(.get, "/oauth/authorize?\(query)")
        let id = try #require(sent.headers[.location]?.split(separator: "/").last, "\(sent.status): \(sent.text)")
        let own = visit.isProved || isOwn ? sent.cookie(CompanionCookies.interactionName) : nil
        let cookie = own ?? "\(CompanionCookies.interactionName)=\(MatrixVisit.guess)"
        return ("/oauth/sign-in/\(id)", .cookies(cookie).adding(.fetchSite, "same-origin"))
    }

    private static func form(_ visit: MatrixVisit, _ below: String, _ body: String) async throws -> MatrixRequest {
        let (path, headers) = try await sentBrowser(visit)
        var request = MatrixRequest(path + below, headers)
        request.headers[.contentType] = "application/x-www-form-urlencoded"
        request.body = body
        return request
    }

    /// The same page once a scan that the browser began was accepted.
    private static func scanned(_ visit: MatrixVisit) async throws -> (String, HTTPFields) {
        let (path, headers) = try await sentBrowser(visit, isOwn: true)
        let body = "email=\(visit.person.email.replacing("@", with: "%40"))"
        let form = headers.adding(.contentType, "application/x-www-form-urlencoded")
        let started = try await visit.bench.send(.post, path + "/face", form, body: body)
        let cookies = [headers[.cookie], started.cookie("vst_scan_")].compactMap(\.self).joined(separator: "; ")
        let waiting = try await visit.bench.send(.get, path + "/wait", headers.adding(.cookie, cookies))
        let ticket = try #require(waiting.text.firstMatch(of: #/\/go\/([\w-]{43})"/#), "\(waiting.text)").1
        let opened = try await visit.bench.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
        try #require(opened.status == .seeOther, "\(opened.text)")
        try await visit.bench.judge(.approved)
        guard !visit.isProved else { return (path, headers) }
        return (path, headers.adding(.cookie, "\(CompanionCookies.interactionName)=\(MatrixVisit.guess)"))
    }
}
