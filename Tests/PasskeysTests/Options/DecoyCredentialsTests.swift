import Kernel
import Testing

@testable import Passkeys

struct DecoyCredentialsTests {
    private func decoys(_ byte: UInt8) throws -> DecoyCredentials {
        DecoyCredentials(key: try #require(Digest256(Array(repeating: byte, count: 32))))
    }

    @Test func `a name has the same decoys each time, and others under another key or RP ID`() throws {
        let first = try decoys(1).descriptors(for: "nobody", relyingParty: .example())
        #expect(try decoys(1).descriptors(for: "nobody", relyingParty: .example()) == first)
        #expect(try decoys(2).descriptors(for: "nobody", relyingParty: .example()) != first)
        let other = try RelyingParty(id: "example.org", name: "", origins: [Origin("https://example.org")])
        #expect(try decoys(1).descriptors(for: "nobody", relyingParty: other) != first)
    }

    @Test func `decoys look like what accounts have, and differ from name to name`() throws {
        let decoys = try decoys(7)
        let relyingParty = try RelyingParty.example()
        var ids: Set<String> = []
        var shapes: Set<String> = []
        var counts: Set<Int> = []
        for number in 0..<300 {
            let descriptors = decoys.descriptors(for: "name-\(number)", relyingParty: relyingParty)
            counts.insert(descriptors.count)
            for descriptor in descriptors {
                #expect(descriptor.type == "public-key" && descriptor.transports != [])
                let id = try #require(CredentialID(text: descriptor.id))
                #expect(ids.insert(descriptor.id).inserted)
                shapes.insert("\(id.bytes.count) \(descriptor.transports ?? [])")
            }
        }
        #expect(counts == [1, 2])
        #expect(shapes.count == 5 && shapes.contains("16 []"), "some say nothing of transports")
    }
}
