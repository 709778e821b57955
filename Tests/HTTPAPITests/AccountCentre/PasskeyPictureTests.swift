import Foundation
import GRDB
import Testing

@testable import Assembly
@testable import HTTPAPI
@testable import Storage

/// The pictograms of passkeys in the account centre.
struct PasskeyPictureTests {
    @Test func `a passkey of a known maker has the pictogram of its kind with its words, and another has none`()
        async throws
    {
        try await Harness.run(storage: .sqlite) { harness in
            let grace = try await harness.passkeyBrowser()
            #expect(try await !grace.load().text.contains(#"class="kind""#), "it names no model")
            // A YubiKey 5 NFC.
            let model = try #require(UUID(uuidString: "2fc0579f-8113-47ea-b116-bb5a8db9202a"))
            try await harness.database.pool.write { database in
                try database.execute(
                    sql: "UPDATE passkeys SET aaguid = ?",
                    arguments: [withUnsafeBytes(of: model.uuid) { Data($0) }]
                )
            }
            let page = try await grace.load().text
            let picture = #"<svg class="kind" role="img" aria-label="Security key" viewBox="0 0 24 24"><path d="M12 12"#
            #expect(page.contains(picture), "\(page)")
            #expect(page.contains("YubiKey 5 NFC"))
        }
    }
}
