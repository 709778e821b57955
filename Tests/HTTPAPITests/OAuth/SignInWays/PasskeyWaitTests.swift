import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import SignIn
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI

/// Before a press adds a passkey, each page says whether the passkey counts only after a day.
struct PasskeyWaitTests {
    private static let eve = "eve@example.com"
    private static let sentence = "An app that requires a passkey takes a new one a day after you add it."

    /// Expects the sentence, shown or hidden until a script shows it, before what adds the passkey.
    private static func expectSentence(
        _ state: String,
        before button: String,
        in page: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let note = page.firstRange(of: #"<p id="passkey-wait" class="hint"\#(state)>\#(sentence)"#)
        let press = page.firstRange(of: button)
        guard let note, let press else {
            Issue.record("no sentence, or no button: \(page)", sourceLocation: sourceLocation)
            return
        }
        #expect(note.upperBound < press.lowerBound, "\(page)", sourceLocation: sourceLocation)
    }

    // T-112
    @Test func `the page that offers a passkey after another way says that it waits, but not in the first day`()
        async throws
    {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register(Self.eve)
            let first = try await fixture.browser(fixture.request(of: "any"))
            let offer = try await first.follow(try await first.sign(in: Self.eve, able: true))
            #expect(offer.text.contains(#"id="new-passkey""#) && !offer.text.contains("passkey-wait"), "\(offer.text)")

            await fixture.harness.pass(CoolingOff.period)
            let browser = try await fixture.browser(fixture.request(of: "any"))
            let later = try await browser.follow(try await browser.sign(in: Self.eve, able: true)).text
            Self.expectSentence("", before: #"<button id="new-passkey""#, in: later)
            #expect(later.contains(#"aria-describedby="passkey-wait""#))
        }
    }

    // T-112
    @Test func `where a client requires a passkey, the sentence about it is beside its button`() async throws {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register(Self.eve)
            await fixture.harness.pass(CoolingOff.period)
            let browser = try await fixture.browser(fixture.request(of: "keyed"))
            try #require(try await browser.sign(in: Self.eve).status == .ok)
            let page = try await browser.load()
            let note = #"<p id="passkey-wait" class="hint">Key App takes a new passkey one day after it is added.</p>"#
            #expect(page.ways == ["by-new-passkey"] && page.text.contains(note), "\(page.text)")
        }
    }

    @Test func `the pages for everybody have the sentence before their button, for a script to show`() async throws {
        try await Harness.run { harness in
            for (path, button) in [
                ("/passkeys", #"<button id="add""#), ("/face", #"<button id="add""#),
                ("/signup.html", #"<button type="submit""#),
            ] {
                Self.expectSentence(" hidden", before: button, in: try await harness.send(.get, path).text)
            }
        }
        for (script, call) in [
            ("passkeys.js", #"tellWait(element("add"), newPasskeysWait)"#),
            ("face.js", #"tellWait(element("add"), await newPasskeyWaits(bearer))"#), ("signup.js", "tellWait(form."),
        ] {
            #expect(WebAssets.modules[script]?.contains(call) == true, "\(script)")
        }
    }

    private static func waits(_ browser: AccountBrowser) async throws -> Bool {
        let answer = try await browser.harness.send(.get, "/api/auth/devices", .cookies(browser.cookie))
        return try answer.decode(OwnedPasskeysResponse.self).newPasskeysWait
    }

    // T-112
    @Test func `a session learns whether a passkey that it adds waits, and the account page says so`() async throws {
        try await Harness.run { harness in
            let first = try await harness.accountBrowser(by: .mailedCode)
            #expect(try await !Self.waits(first), "in the account's first day it counts at once")
            #expect(try await !first.load().text.contains("passkey-wait"))

            harness.time.advance(by: CoolingOff.period)
            let later = try await harness.accountBrowser(by: .mailedCode)
            #expect(try await Self.waits(later))
            Self.expectSentence("", before: #"href="passkeys?from=account""#, in: try await later.load().text)
            let byFace = try await harness.accountBrowser(by: .face)
            #expect(try await !Self.waits(byFace), "an older face adds one that counts at once")
            #expect(try await !byFace.load().text.contains("passkey-wait"))
        }
    }
}
