import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

/// Rows of rings that no daemon of the database has written.
struct SharedRingAttackTests {
    private static let row = "the row `signing` of key_rings"

    private let fixture: SharedRingFixture
    private let daemon: KeyRing
    private var rings: MemoryRings { fixture.rings }

    init() throws {
        fixture = try SharedRingFixture()
        daemon = try fixture.daemon()
    }

    private func put(_ content: [UInt8], as name: String = "signing") {
        rings[name] = MemoryRings.Row(version: 9, content: content)
    }

    // T-209
    @Test func `a row shows neither a key nor its id`() throws {
        let content = String(decoding: try #require(rings["signing"]).content, as: UTF8.self)
        let decoded = try #require(content.split(separator: ".").last.flatMap { Base64URL.decode($0) })
        let text = content + String(decoding: decoded, as: UTF8.self)
        #expect(!text.contains("PRIVATE") && !text.contains(daemon.kids[0].text))
    }

    // T-211
    @Test(arguments: [0.2, 0.5, 0.99])
    func `attack: a row that was changed is refused at a start, and a running daemon keeps its keys`(
        _ position: Double
    ) throws {
        var content = try #require(rings["signing"]).content
        let index = Int(Double(content.count) * position)
        content[index] = content[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        put(content)
        let error = KeyError.damaged(path: Self.row, .altered)
        #expect(try fixture.refusal() == error)
        let before = daemon.kids
        #expect(throws: error) { try daemon.reload() }
        #expect(throws: error) { try daemon.rotate(now: TokenFixture.now, unannounced: true) }
        #expect(daemon.kids == before)
        #expect(rings["signing"]?.content == content, "nothing is written over it")
    }

    // T-211
    @Test func `attack: a row that was cut, or is not encrypted, is refused`() throws {
        let content = try #require(rings["signing"]).content
        put(Array(content.dropLast(40)))
        #expect(try fixture.refusal() == .damaged(path: Self.row, .altered))
        for other in ["", ".", #"{"ring":"","keys":{}}"#, String(decoding: content.dropFirst(), as: UTF8.self)] {
            put(Array(other.utf8))
            #expect(try fixture.refusal() == .damaged(path: Self.row, .foreignRoot))
        }
    }

    // T-211
    @Test func `attack: the row of one ring is refused in the place of the other`() throws {
        put(try #require(rings["signing"]).content, as: "identity")
        #expect(try fixture.refusal() == .damaged(path: "the row `identity` of key_rings", .altered))
    }

    // T-215
    @Test func `attack: a row that another root key encrypts is refused, and not replaced`() throws {
        let home = try TemporaryFolder()
        let before = rings["signing"]
        let error = try fixture.refusal(in: TokenFixture.openFolder(home))
        #expect(error == .damaged(path: Self.row, .foreignRoot))
        #expect("\(try #require(error))".contains("it was made beside another root.key"))
        #expect(rings["signing"] == before)
    }
}
