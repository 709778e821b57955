import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

extension MatrixCases {
    private static let signInPage = "/oauth/sign-in/{id}"

    /// The sign-in page of a client's request, opened by the cookie of the browser that came with it.
    static let signInPages: [MatrixCase] = [
        MatrixCase("GET \(signInPage)", .inRequest(ofAccount: false)) { context in
            let (path, headers) = try await sentBrowser(context)
            return MatrixRequest(path, headers)
        },
        MatrixCase("POST \(signInPage)/identifier", .inRequest(ofAccount: false)) { context in
            try await form(context, "/identifier", "identifier=\(context.person.email.replacing("@", with: "%40"))")
        },
        MatrixCase("POST \(signInPage)/face", .inRequest(ofAccount: false)) { context in
            try await form(context, "/face", "email=\(context.person.email.replacing("@", with: "%40"))")
        }.answered(303),
        MatrixCase("GET \(signInPage)/wait", .inRequest(ofAccount: false)) { context in
            let (path, headers) = try await scanned(context)
            return MatrixRequest(path + "/wait", headers)
        }.answered(303),
        MatrixCase("GET \(signInPage)/events", .inRequest(ofAccount: false)) { context in
            let (path, headers) = try await scanned(context)
            return MatrixRequest(path + "/events", headers)
        },
        MatrixCase("POST \(signInPage)/passkey/options", .inRequest(ofAccount: false)) { context in
            try await form(context, "/passkey/options", "")
        },
        MatrixCase("POST \(signInPage)/passkey", .inRequest(ofAccount: true)) { context in
            let credential = try await addPasskey(context)
            let (path, headers) = try await sentBrowser(context, isOwn: true)
            let options = try await context.harness.send(.post, path + "/passkey/options", headers)
            let answer = try context.browser.get(options.text, with: credential)
            return MatrixRequest(path + "/passkey", headers, json: answer)
        },
        MatrixCase("POST \(signInPage)/passkey/new/options", .inRequest(ofAccount: false)) { context in
            var request = try await form(context, "/passkey/new/options", #"{"username":"somebody new"}"#)
            request.headers[.contentType] = "application/json"
            return request
        },
        MatrixCase("POST \(signInPage)/passkey/new", .inRequest(ofAccount: false)) { context in
            let (path, headers) = try await sentBrowser(context, isOwn: true)
            let asked = headers.adding(.contentType, "application/json")
            let name = "new \(path.suffix(8).filter { $0.isLetter || $0.isNumber })"
            let body = #"{"username":"\#(name)"}"#
            let options = try await context.harness.send(.post, path + "/passkey/new/options", asked, body: body)
            let (_, answer) = try context.browser.create(options.text)
            guard !context.isProved else { return MatrixRequest(path + "/passkey/new", headers, json: answer) }
            let guessed = headers.adding(.cookie, "\(CompanionCookies.interactionName)=\(MatrixContext.guess)")
            return MatrixRequest(path + "/passkey/new", guessed, json: answer)
        },
        MatrixCase("POST \(signInPage)/mail", .inRequest(ofAccount: false)) { context in
            try await form(context, "/mail", "email=\(context.person.email.replacing("@", with: "%40"))")
        },
        MatrixCase("POST \(signInPage)/code", .inRequest(ofAccount: false)) { context in
            try await form(context, "/code", "email=\(context.person.email.replacing("@", with: "%40"))&code=1")
        }.answered(400),
        MatrixCase("POST \(signInPage)/password", .inRequest(ofAccount: false)) { context in
            let email = context.person.email.replacing("@", with: "%40")
            return try await form(context, "/password", "email=\(email)&password=of+somebody+else")
        }.answered(400),
        MatrixCase("GET \(signInPage)/sign-up", .inRequest(ofAccount: false)) { context in
            let (path, headers) = try await sentBrowser(context)
            return MatrixRequest(path + "/sign-up", headers)
        },
        MatrixCase("POST \(signInPage)/sign-up", .inRequest(ofAccount: false)) { context in
            try await form(context, "/sign-up", "email=&name=&password=")
        }.answered(400),
        MatrixCase("POST \(signInPage)/enroll", .inRequest(ofAccount: false)) { context in
            try await form(context, "/enroll", "")
        },
        MatrixCase("POST \(signInPage)/later", .inRequest(ofAccount: false)) { context in
            try await form(context, "/later", "")
        },
        MatrixCase("POST \(signInPage)/consent", .inRequest(ofAccount: false)) { context in
            try await form(context, "/consent", "")
        },
        MatrixCase("POST \(signInPage)/cancel", .inRequest(ofAccount: false)) { context in
            try await form(context, "/cancel", "")
        },
    ]

    /// The page of the published app's request, with its browser's cookie; `isOwn`: also for callers without any other
    /// proof.
    private static func sentBrowser(_ context: MatrixContext, isOwn: Bool = false) async throws -> (String, HTTPFields)
    {
        let query = "response_type=code&client_id=myvoo&redirect_uri=myapp.scheme.demo%3A%2F%2Fcode_callback&state=x"
        let sent = try await context.harness.send(.get, "/oauth/authorize?\(query)")
        let id = try #require(sent.headers[.location]?.split(separator: "/").last, "\(sent.status): \(sent.text)")
        let own = context.isProved || isOwn ? sent.cookie(CompanionCookies.interactionName) : nil
        let cookie = own ?? "\(CompanionCookies.interactionName)=\(MatrixContext.guess)"
        return ("/oauth/sign-in/\(id)", .cookies(cookie).adding(.fetchSite, "same-origin"))
    }

    private static func form(_ context: MatrixContext, _ below: String, _ body: String) async throws -> MatrixRequest {
        let (path, headers) = try await sentBrowser(context)
        var request = MatrixRequest(path + below, headers)
        request.headers[.contentType] = "application/x-www-form-urlencoded"
        request.body = body
        return request
    }

    /// The same page once a scan that the browser began was accepted.
    private static func scanned(_ context: MatrixContext) async throws -> (String, HTTPFields) {
        let (path, headers) = try await sentBrowser(context, isOwn: true)
        let body = "email=\(context.person.email.replacing("@", with: "%40"))"
        let form = headers.adding(.contentType, "application/x-www-form-urlencoded")
        let started = try await context.harness.send(.post, path + "/face", form, body: body)
        let cookies = [headers[.cookie], started.cookie("vst_scan_")].compactMap(\.self).joined(separator: "; ")
        let waiting = try await context.harness.send(.get, path + "/wait", headers.adding(.cookie, cookies))
        let ticket = try #require(waiting.text.firstMatch(of: #/\/go\/([\w-]{43})"/#), "\(waiting.text)").1
        let opened = try await context.harness.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
        try #require(opened.status == .seeOther, "\(opened.text)")
        try await context.harness.judge(.approved)
        guard !context.isProved else { return (path, headers) }
        return (path, headers.adding(.cookie, "\(CompanionCookies.interactionName)=\(MatrixContext.guess)"))
    }
}
