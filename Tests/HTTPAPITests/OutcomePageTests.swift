import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The page behind the link, after the scan.
struct OutcomePageTests {
    @Test func `the browser that had the scan learns that it was accepted, others that the link is over`() async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.approved)
            for round in 0..<3 {
                let page = try await harness.send(.get, login.landingPath, .cookies(cookie))
                #expect(page.status == .ok && page.text.contains("The scan was accepted"), "round \(round)")
                #expect(!page.text.contains("<form") && !page.text.contains("<script"))
                let others: HTTPFields = .cookies("vst_go=" + String(repeating: "A", count: 43))
                for headers in [[:], others] {
                    let other = try await harness.send(.get, login.landingPath, headers)
                    #expect(other.status == .gone && other.text.contains("This link is no longer valid"))
                }
                if round == 0 { #expect(try await harness.word(login, login.bound) == "completed") }
                if round == 1 { try await harness.send(.post, login.ackPath, login.bound) }
            }
        }
    }

    @Test(
        .alsoSpread,
        arguments: [
            (ScanStatus.rejected(.notMatched), "The face did not match."), (.rejected(.declined), "was declined"),
            (.expired, "not finished in time"), (.canceled, "was cancelled"), (.broken, "failed at the provider"),
        ]
    )
    func `it also learns why the login failed`(_ status: ScanStatus, _ words: String) async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(status)
            let page = try await harness.send(.get, login.landingPath, .cookies(cookie))
            #expect(page.status == .ok && page.text.contains("You were not signed in") && page.text.contains(words))
            #expect(page.text.contains("Go back to the app."))
            #expect(try await harness.open(login, browser: cookie).text.contains(words), "also by its button")
            #expect(try await harness.open(login).status == .gone)
        }
    }

    @Test func `the browser of a replaced attempt gets 410, and that of the current one the outcome`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let first = try #require(try await harness.open(login).cookie("vst_go"))
            let second = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.approved)
            #expect(try await harness.send(.get, login.landingPath, .cookies(first)).status == .gone)
            #expect(try await harness.send(.get, login.landingPath, .cookies(second)).status == .ok)
        }
    }

    @Test func `a made-up browser cookie gets 410 for a login that no browser opened`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.send(.post, login.cancelPath, login.bound)
            let cookie = "vst_go=" + String(repeating: "A", count: 43)
            #expect(try await harness.send(.get, login.landingPath, .cookies(cookie)).status == .gone)
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `the scan's browser sees the outcome for ten minutes, also after a restart, and then gets 410`(
        _ storage: HarnessStorage
    )
        async throws
    {
        let (folder, time, kept) = (try TestFolder(), VirtualTime(), Kept())
        try await Harness.run(storage: storage, folder: folder, time: time) { harness in
            let login = try await harness.start()
            kept.put(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.rejected(.notMatched))
            kept.put(login)
            await harness.pass(.seconds(590))
            #expect(try await harness.send(.get, login.landingPath, .cookies(kept.claims)).status == .ok)
        }
        try await Harness.run(storage: storage, folder: folder, time: time, seed: 2) { harness in
            let login = try #require(kept.login)
            #expect(try await harness.send(.get, login.landingPath, .cookies(kept.claims)).status == .gone)
        }
    }
}
