import CodeFlow
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing
import Wallet
import Wire

@testable import Assembly
@testable import HTTPAPI
@testable import Settings

/// A way to a bank that has begun.
struct StartedBankLink: Sendable {
    let response: TestResponse
    let authURL: String
    /// Of the browser that was sent to the bank, where it got one.
    let cookie: String?

    var state: String { query("state") ?? "" }

    /// A parameter of the bank's page.
    func query(_ name: String) -> String? { FormBody.field(name, in: String(authURL.split(separator: "?").last ?? "")) }
}

extension Harness {
    static let bankPage = "https://bank.example.com/authorize"
    static let enrollment = "/api/enrollment"
    static let appLink = "mwsim://enrollment/callback"

    /// The two banks of a bench; nobody is behind their addresses.
    static func banks() -> [String: Bank] {
        let logo = "https://bank.example.com/logo.png"
        return ["eb": bank("eb", "Example Bank", logo: logo), "ob": bank("ob", "Other Bank", logo: nil)]
    }

    private static func bank(_ id: String, _ name: String, logo: String?) -> Bank {
        Bank(
            id: id,
            name: name,
            logoURL: logo,
            server: AuthorizationServer(
                authorizeURL: bankPage,
                tokenURL: "https://bank.example.com/token",
                client: ClientRegistration(id: "vestibule", authentication: .none),
                scopes: ["cards"]
            ),
            cardsURL: "https://bank.example.com/cards"
        )
    }

    /// What an app does that opens a browser of its own.
    func startInApp(
        _ phone: PhoneOfTest,
        at bank: String = "eb",
        deepLink: String? = nil
    ) async throws -> StartedBankLink {
        let body = deepLink.map { #"{"deepLink":"\#($0)"}"# } ?? ""
        let response = try await post("/api/mobile/enrollment/start/\(bank)", body, phone.bearer)
        try #require(response.status == .ok, "\(response.text)")
        let answer = try response.decode(StartEnrollmentResponse.self)
        return StartedBankLink(response: response, authURL: answer.authUrl, cookie: nil)
    }

    /// What a browser does that is signed in.
    func startInBrowser(
        _ headers: HTTPFields,
        _ query: String = "",
        at bank: String = "eb"
    ) async throws -> StartedBankLink {
        let response = try await send(.get, "\(Self.enrollment)/start/\(bank)" + query, headers)
        try #require(response.status == .seeOther, "\(response.text)")
        return StartedBankLink(
            response: response,
            authURL: try #require(response.headers[.location]),
            cookie: response.cookie("vst_enroll=")
        )
    }

    /// Comes back from the bank, with the cookie of the browser that departed unless others are named.
    @discardableResult
    func comeBack(
        _ link: StartedBankLink,
        _ answer: String = "code=bank-code-1",
        at bank: String = "eb",
        with headers: HTTPFields? = nil
    ) async throws -> TestResponse {
        let own = link.cookie.map { HTTPFields.cookies($0) } ?? [:]
        return try await send(
            .get,
            "\(Self.enrollment)/callback/\(bank)?\(answer)&state=\(link.state)",
            headers ?? own
        )
    }

    /// Adds the bank to the wallet of the phone's owner.
    func enroll(_ phone: PhoneOfTest, at bank: String = "eb") async throws {
        let back = try await comeBack(try await startInApp(phone, at: bank), at: bank)
        try #require(back.headers[.location]?.contains("success=true") == true, "\(back.status) \(back.text)")
    }

    /// Presses a button of the question.
    func press(_ token: String, _ decision: String = "add", _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        if headers[.fetchSite] == nil, headers[.origin] == nil { headers[.fetchSite] = "same-origin" }
        return try await send(
            .post,
            "\(Self.enrollment)/confirm",
            headers,
            body: "token=\(token)&decision=\(decision)"
        )
    }

    func cards(_ phone: PhoneOfTest) async throws -> [WalletCardView] {
        let response = try await send(.get, "/api/mobile/wallet/cards", phone.bearer)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(WalletCardsResponse.self).cards
    }
}

extension TestResponse {
    /// Where it leads into the app, as its parameters; `nil` where it does not.
    var appOutcome: [String: String]? {
        guard let location = headers[.location], location.hasPrefix(Harness.appLink + "?") else { return nil }
        let pairs = QueryText.pairs(String(location.dropFirst(Harness.appLink.count + 1))).map { pair in
            (QueryText.decode(pair.name), QueryText.decode(pair.value))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The token of the question, if that is what the page is.
    var questionToken: String? {
        text.firstMatch(of: #/name="token" value="([\w-]{43})"/#).map { String($0.1) }
    }

    /// What the page is called for programs.
    var pageCode: String? { text.firstMatch(of: #/data-code="([a-z_]+)"/#).map { String($0.1) } }
}
