import GRDB
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing

@testable import Assembly
@testable import Storage

/// The landing page after a restart, over a database with the program's own encryption.
struct ScanPageTests {
    private static let provider = ProviderName("mock")

    @Test(arguments: HarnessStorage.databases)
    func `after a restart the browser is redirected to its scan again, and another browser to a new one`(
        _ storage: HarnessStorage
    ) async throws {
        let (folder, time, provider) = (try TestFolder(), VirtualTime(), ScriptedFaceProvider(name: Self.provider))
        let (login, browser) = (Kept(), Kept())
        try await Harness.run(storage: storage, folder: folder, time: time, provider: provider) { harness in
            let started = try await harness.start()
            let redirect = try await harness.open(started)
            login.put(started)
            login.put(redirect.headers[.location])
            browser.put(redirect.cookie("vst_go"))
        }
        try await Harness.run(storage: storage, folder: folder, time: time, seed: 2, provider: provider) { harness in
            let (started, page) = (try #require(login.login), try #require(login.claims))
            let cookie = try #require(browser.claims)
            let again = try await harness.open(started, browser: cookie)
            #expect(again.status == .seeOther && again.headers[.location] == page)
            #expect(provider.beginCount == 1)
            let other = try await harness.open(started, browser: "vst_go=of-another-browser")
            #expect(other.status == .seeOther && other.headers[.location] != page)
            #expect(provider.beginCount == 2)
            try await harness.judge(.approved)
            #expect(try await harness.word(started, started.bound) == "completed")
        }
    }

    // T-211
    @Test func `attack: a damaged page is logged once, without its text, and a new scan begins`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let login = try await harness.start()
            let browser = try #require(try await harness.open(login).cookie("vst_go"))
            let row = try harness.operation(login).id.description
            let stored = try await harness.database.pool.read { reader in
                try String.fetchOne(reader, sql: "SELECT scan_page FROM operations WHERE id = ?", arguments: [row])
            }
            let page = try #require(stored)
            #expect(!page.contains("provider.example.com"))
            let damaged = page.replacing(".", with: ".AAAA")
            try await harness.database.pool.write { writer in
                try writer.execute(sql: "UPDATE operations SET scan_page = ?", arguments: [damaged])
            }
            // As a restart does, with the same service.
            harness.composition.service.cache.remove(try harness.operation(login).credentials.publicID)
            _ = try await harness.composition.service.recover()
            harness.provider.fail(with: .unavailable(cause: "an outage"))
            for _ in 0..<3 {
                #expect(try await harness.open(login, browser: browser).status == .serviceUnavailable)
            }
            let lines = harness.log.lines.filter { $0.text.contains("can't be decrypted") }
            #expect(lines.count == 1)
            for line in harness.log.lines { #expect(!line.text.contains(page) && !line.text.contains(damaged)) }
            harness.provider.fail(with: nil)
            #expect(try await harness.open(login, browser: browser).status == .seeOther)
            #expect(harness.provider.newest == ProviderReference("scan-2"))
        }
    }
}
