import HTTPTypes
import HummingbirdTesting
import Operations
import Settings
import Testing
import Wire

@testable import Assembly

/// The language of a person's pages.
struct LanguageTests {
    @Test func `a page is in the visitor's language and says so`() async throws {
        try await Harness.run { settings in
            settings.faceLogin.landing = .confirm
        } _: { harness in
            let login = try await harness.start()
            let page = try await harness.send(.get, login.landingPath, [.acceptLanguage: "sv-FI, en;q=0.5"])
            #expect(page.headers[.contentLanguage] == "sv" && page.headers[.vary] == "Accept-Language")
            #expect(page.text.contains(#"<html lang="sv">"#) && page.text.contains("Det var inte jag"))
            let over = try await harness.send(.post, "/go/x", [.acceptLanguage: "fr"])
            #expect(over.headers[.contentLanguage] == "fr" && over.text.contains("Ce lien n’est plus valable"))
        }
    }

    @Test func `a failed login's message is in the language asked for, and its code is the same in all`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let receipt = try await harness.send(.post, login.cancelPath, login.bound.adding(.acceptLanguage, "es"))
            let spanish = "Se canceló el inicio de sesión. Empiece de nuevo cuando quiera."
            #expect(try receipt.decode(OperationReceipt.self).message == spanish)
            let english = "The sign-in was cancelled. Start again when you are ready."
            for (header, sentence) in [("es", spanish), ("xx", english)] {
                let poll = try await harness.poll(login, login.bound.adding(.acceptLanguage, header))
                let answer = try poll.decode(PollLoginResponse.self)
                #expect(answer.code == "canceled" && answer.message == sentence)
                #expect(poll.headers[.vary] == "Accept-Language")
            }
        }
    }
}
