import Foundation
import Glibc
import Kernel
import Testing
import Tokens

@testable import Vestibule

/// How the wallet seals.
struct WalletWiringTests {
    /// A sealer with keys of a folder that is gone at once: it needs no file any more.
    private static func adapter(_ secrets: [Secret] = []) throws -> WalletSealAdapter {
        var template = Array("/tmp/vst-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try KeyFolder.open(at: path + "/keys", facts: .system)
        return WalletSealAdapter(sealer: Sealer(secrets, folder: folder, facts: .system))
    }

    @Test func `what is sealed opens as what it is, and says nothing of it`() throws {
        let adapter = try Self.adapter()
        let sealed = try adapter.seal(Secret("bank-at-1"), as: "access one")
        #expect(!sealed.contains("bank-at-1"))
        #expect(adapter.open(sealed, as: "access one") == Secret("bank-at-1"))
        #expect(try adapter.seal(Secret("bank-at-1"), as: "access one") != sealed)
    }

    /// A row's sealed text that somebody moves to another row, or changes, is none.
    @Test func `attack: what was sealed as something else opens nothing`() throws {
        let adapter = try Self.adapter()
        let sealed = try adapter.seal(Secret("bank-at-1"), as: "access one")
        for context in ["access two", "refresh one", "", "wallet access one"] {
            #expect(adapter.open(sealed, as: context) == nil)
        }
        var flipped = Array(sealed)
        let middle = flipped.count / 2
        flipped[middle] = flipped[middle] == "A" ? "B" : "A"
        for forged in [String(flipped), String(sealed.dropFirst()), "", ".", "bank-at-1", sealed + "AAAA"] {
            #expect(adapter.open(forged, as: "access one") == nil)
        }
        #expect(try Self.adapter().open(sealed, as: "access one") == nil)
    }

    @Test func `an operator's earlier key opens still`() throws {
        let (old, new) = (Secret(String(repeating: "o", count: 32)), Secret(String(repeating: "n", count: 32)))
        let sealed = try Self.adapter([old]).seal(Secret("bank-rt-1"), as: "refresh one")
        #expect(try Self.adapter([new, old]).open(sealed, as: "refresh one") == Secret("bank-rt-1"))
        #expect(try Self.adapter([new]).open(sealed, as: "refresh one") == nil)
    }
}
