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

    // T-073
    @Test func `attack: a decoy id can't be made or changed without the key`() throws {
        let (decoys, outsider) = (try decoys(1), try decoys(2))
        let relyingParty = try RelyingParty.example()
        let other = try RelyingParty(id: "example.org", name: "", origins: [Origin("https://example.org")])
        var lengths: Set<Int> = []
        for number in 0..<600 {
            for descriptor in decoys.descriptors(for: "name-\(number)", relyingParty: relyingParty) {
                let id = try #require(CredentialID(text: descriptor.id))
                #expect(decoys.contains(id, relyingParty: relyingParty))
                #expect(!decoys.contains(id, relyingParty: other) && !outsider.contains(id, relyingParty: relyingParty))
                guard lengths.insert(id.bytes.count).inserted else { continue }
                for place in id.bytes.indices {
                    var changed = id.bytes
                    changed[place] ^= 1
                    #expect(!decoys.contains(CredentialID(changed), relyingParty: relyingParty), "byte \(place)")
                }
                let cuts = [id.bytes.dropFirst(), id.bytes.dropLast(), id.bytes.suffix(8)].map { [UInt8]($0) }
                for cut in cuts + [id.bytes + [0]] {
                    #expect(!decoys.contains(CredentialID(cut), relyingParty: relyingParty))
                }
            }
        }
        #expect(lengths == Set(DecoyForm.all.map(\.length)), "each length that there is")
        for length in 0...96 {
            let zeros = CredentialID(Array(repeating: 0, count: length))
            #expect(!decoys.contains(zeros, relyingParty: relyingParty))
        }
    }

    @Test func `a decoy's user handle is its own, the same each time, and another under another key`() throws {
        let relyingParty = try RelyingParty.example()
        let ids = [CredentialID(Array(repeating: 1, count: 16)), CredentialID(Array(repeating: 1, count: 17))]
        let handles = try ids.map { try decoys(1).userHandle(of: $0, relyingParty: relyingParty) }
        #expect(handles.allSatisfy { $0.count == 32 } && handles[0] != handles[1])
        #expect(try decoys(1).userHandle(of: ids[0], relyingParty: relyingParty) == handles[0])
        #expect(try decoys(2).userHandle(of: ids[0], relyingParty: relyingParty) != handles[0])
    }

    /// The credentials of clients in the field, by makers' documents: the length of the id, and the transports.
    private static let inTheField: [DecoyForm] = [
        DecoyForm(length: 20, transports: ["internal", "hybrid"]),
        DecoyForm(length: 16, transports: ["hybrid", "internal"]),
        DecoyForm(length: 16, transports: ["internal"]), DecoyForm(length: 32, transports: ["internal"]),
        DecoyForm(length: 48, transports: ["nfc", "usb"]), DecoyForm(length: 64, transports: ["nfc", "usb"]),
        DecoyForm(length: 64, transports: ["usb"]), DecoyForm(length: 20, transports: []),
    ]

    // T-073
    @Test func `decoys look like the accounts' credentials, about as often, and differ from name to name`() throws {
        let decoys = try decoys(7)
        let relyingParty = try RelyingParty.example()
        var ids: Set<String> = []
        var forms: [DecoyForm] = []
        var counts: [Int: Int] = [:]
        for number in 0..<2000 {
            let descriptors = decoys.descriptors(for: "name-\(number)", relyingParty: relyingParty)
            counts[descriptors.count, default: 0] += 1
            for descriptor in descriptors {
                #expect(descriptor.type == "public-key" && descriptor.transports != [])
                let id = try #require(CredentialID(text: descriptor.id))
                #expect(ids.insert(descriptor.id).inserted)
                forms.append(DecoyForm(length: id.bytes.count, transports: descriptor.transports ?? []))
            }
        }
        #expect(Set(counts.keys) == [1, 2, 3])
        let (one, three) = (counts[1] ?? 0, counts[3] ?? 0)
        #expect((1300...1600).contains(one) && (60...240).contains(three), "one passkey most of the time: \(counts)")
        for form in DecoyForm.all { #expect(forms.contains(form), "\(form)") }
        for form in Self.inTheField { #expect(forms.contains(form), "\(form)") }
        let silent = forms.filter(\.transports.isEmpty).count
        #expect((100...400).contains(silent), "some say nothing of transports: \(silent) of \(forms.count)")
    }
}
