import Kernel
import Testing
import TokenReading

@testable import Tokens

struct SealerTests {
    private static let first = Secret("first secret of at least 32 bytes")
    private static let second = Secret("second secret of at least 32 bytes")
    private static let text = Array("what is sealed".utf8)

    private let folder: KeyFolder
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
        folder = try TokenBench.openFolder(home)
    }

    private func sealer(_ secrets: Secret...) -> Sealer { Sealer(secrets, folder: folder, facts: TokenBench.facts) }

    @Test func `what is sealed opens again, and shows nothing of itself`() throws {
        for sealer in [sealer(), sealer(Self.first)] {
            let sealed = try sealer.seal(Self.text, as: "row 1")
            #expect(sealed.count == 12 + Self.text.count + 16)
            #expect(!sealed.indices.contains { sealed[$0...].starts(with: Self.text.prefix(4)) })
            #expect(sealer.open(sealed, key: sealer.currentKey, as: "row 1") == Self.text)
        }
        #expect(try sealer().open(sealer().seal([], as: ""), key: sealer().currentKey, as: "") == [])
    }

    @Test func `attack: changed bytes, another context and another key open nothing`() throws {
        let sealer = sealer(Self.first, Self.second)
        let sealed = try sealer.seal(Self.text, as: "row 1")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(sealer.open(changed, key: sealer.currentKey, as: "row 1") == nil)
        }
        #expect(sealer.open(sealed, key: sealer.currentKey, as: "row 2") == nil)
        #expect(sealer.open(sealed, key: self.sealer(Self.second).currentKey, as: "row 1") == nil)
        #expect(sealer.open(sealed, key: "", as: "row 1") == nil)
        for count in 0..<sealed.count {
            #expect(sealer.open(Array(sealed.prefix(count)), key: sealer.currentKey, as: "row 1") == nil)
        }
    }

    @Test func `a key can be given and changed while what the earlier ones sealed still opens`() throws {
        let (derived, given) = (sealer(), sealer(Self.first))
        let changed = sealer(Self.second, Self.first)
        #expect(Set([derived.currentKey, given.currentKey, changed.currentKey]).count == 3)
        for old in [derived, given] {
            let sealed = try old.seal(Self.text, as: "row")
            #expect(changed.open(sealed, key: old.currentKey, as: "row") == Self.text)
        }
        let sealed = try changed.seal(Self.text, as: "row")
        #expect(given.open(sealed, key: changed.currentKey, as: "row") == nil, "it was dropped")
    }
}
