import HTTPTypes
import Hummingbird
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
@testable import Storage

/// The answers to clients while nothing can be written.
struct StoreOutageTests {
    // T-260
    @Test(arguments: HarnessStorage.databases)
    func `a start is refused with a time to come back, and its cause stays in the log`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            try harness.composition.stores.upkeep.close()
            let response = try await harness.post(Harness.initiatePath, #"{"email":"ada@example.com"}"#)
            try harness.expect(response, is: "store_unavailable", 503)
            #expect(response.headers[.retryAfter] == "5")
            #expect(response.headers[.setCookie] == nil)
            #expect(!response.text.contains("SQL"))
            let id = try #require(response.headers[.requestID])
            let fault = try #require(harness.log.lines.first { $0.message == "a request failed" })
            #expect(fault.level == .error && fault.metadata["request"] == id)
            #expect(fault.metadata["cause"]?.contains("unavailable") == true)
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `an OAuth client is told in the terms of its protocol (RFC 6749 §5.2)`(_ storage: HarnessStorage) async throws
    {
        try await Harness.run(storage: storage) { harness in
            let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let form = "grant_type=authorization_code&client_id=myvoo&code=a-code-of-nobody"
            let before = try await harness.send(.post, "/oauth/token", headers, body: form)
            #expect(before.status == .badRequest && before.text.contains(#""error":"invalid_grant""#))
            try harness.composition.stores.upkeep.close()
            let after = try await harness.send(.post, "/oauth/token", headers, body: form)
            #expect(after.status == .serviceUnavailable && after.headers[.retryAfter] == "5", "\(after.text)")
            #expect(after.text.contains(#""error":"temporarily_unavailable""#), "\(after.text)")
            #expect(after.headers[.cacheControl] == "no-store")
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `a poll of what is pending needs no store`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let login = try await harness.start()
            try harness.composition.stores.upkeep.close()
            #expect(try await harness.word(login) == "created")
        }
    }

    // T-260
    @Test(arguments: HarnessStorage.databases)
    func `a collection during a store outage gets 503 and leaves the login approved`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            try harness.composition.stores.upkeep.close()
            let response = try await harness.poll(login, login.bound)
            try harness.expect(response, is: "store_unavailable", 503)
            #expect(response.headers[.retryAfter] == "5" && response.headers[.setCookie] == nil)
            #expect(try harness.operation(login).state.name == .approved)
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `a cancellation during a store outage gets 503 and leaves the login live`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let login = try await harness.start()
            try harness.composition.stores.upkeep.close()
            let response = try await harness.send(.post, login.cancelPath, login.bound)
            try harness.expect(response, is: "store_unavailable", 503)
            #expect(try await harness.word(login) == "created")
        }
    }

    // T-260
    @Test(arguments: HarnessStorage.databases)
    func `a scan that can't be written is not started, and the browser reads a page, not JSON`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let login = try await harness.start()
            try harness.composition.stores.upkeep.close()
            let response = try await harness.open(login)
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers[.contentType] == "text/html; charset=utf-8")
            #expect(response.headers[.retryAfter] == "5" && response.headers[.setCookie] == nil)
            #expect(response.text.contains("Try again") && response.text.contains("<form"))
            #expect(response.headers[.contentSecurityPolicy]?.contains("form-action 'self'") == true)
            let fault = try #require(harness.log.lines.first { $0.message == "a request failed" })
            #expect(fault.metadata["cause"]?.contains("unavailable") == true, "the cause is in the log")
            #expect(fault.metadata["request"] == response.headers[.requestID])
            #expect(harness.provider.calls.isEmpty, "no scan is started for a login that can't be followed")
            #expect(try await harness.word(login) == "created")
        }
    }

    @Test(arguments: ["", "/not-me", "/return"])
    func `an internal error of a page's form is answered with a page`(_ action: String) async throws {
        let provider = ScriptedFaceProvider(name: ProviderName("mock"), returnsToUs: true)
        try await Harness.run(storage: .sqlite, provider: provider) {
            $0.clients[0].returnURLs = ["https://app.example.com/"]
        } _: { harness in
            let body = #"{"email":"ada@example.com","returnUrl":"https://app.example.com/"}"#
            let answer = try await harness.post(Harness.initiatePath, body).decode(InitiateLoginResponse.self)
            var path = "/go/" + String(try #require(answer.authIdUrl.split(separator: "/").last))
            var headers: HTTPFields = [.fetchSite: "same-origin"]
            if action == "/return" {
                let opened = try await harness.send(.post, path, headers)
                headers[.cookie] = opened.cookie("vst_go")
                try await harness.judge(.approved)
                guard case .begin(let request) = provider.calls.first else {
                    Issue.record("no scan was begun")
                    return
                }
                path = String(try #require(request.returnTo).dropFirst("http://localhost:8080".count))
            } else {
                path += action
            }
            let calls = provider.calls
            // A row that no transition can be written over: a store must not contain it, and it is not an outage.
            _ = try await harness.composition.unitOfWork.run { transaction in
                try transaction.connection().change(
                    "CREATE TRIGGER broken BEFORE UPDATE ON operations BEGIN SELECT RAISE(ABORT, 'broken'); END"
                )
            }
            let response = try await harness.send(.post, path, headers)
            #expect(response.status == .internalServerError)
            #expect(response.headers[.contentType] == "text/html; charset=utf-8")
            #expect(response.headers[.retryAfter] == nil && response.headers[.setCookie] == nil)
            #expect(response.text.contains("Something went wrong here") && !response.text.contains(answer.operationId))
            #expect(response.text.contains("<main") && !response.text.contains("broken"))
            let fault = try #require(harness.log.lines.first { $0.message == "a request failed" })
            #expect(fault.metadata["cause"]?.contains("broken") == true, "the cause is in the log")
            #expect(fault.metadata["request"] == response.headers[.requestID])
            #expect(provider.calls == calls, "no scan is started for a login that can't be followed")
        }
    }

    @Test func `every landing page has its text in every language`() {
        let pages = LandingPages(scanOrigins: [])
        for (page, texts) in LandingPages.Page.allCases.flatMap({ page in LocalizedStrings.builtIn.map { (page, $0) } })
        {
            let response = pages.render(page, in: texts)
            #expect(response.headers[.contentType] == "text/html; charset=utf-8")
            #expect((response.body.contentLength ?? 0) > 500, "\(page) has its words")
            #expect(response.headers[.contentLanguage] == texts.language)
        }
    }
}
