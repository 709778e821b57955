import Kernel
import Testing
import Web

@testable import HTTPAPI

/// The place and the browser of a request, in words.
struct OriginTextTests {
    private static func place(_ address: String, from visitor: String?) -> String {
        OriginText.place(address, seenFrom: visitor.flatMap { NetworkAddress($0) }, in: .english)
    }

    @Test(arguments: ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
    func `a loopback address is this computer, for a reader on it`(_ address: String) {
        #expect(Self.place(address, from: "127.0.0.1") == "this computer")
        #expect(Self.place(address, from: "203.0.113.7") == "the server’s own network")
        #expect(Self.place(address, from: nil) == "the server’s own network")
    }

    @Test(arguments: [
        "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.1.20", "169.254.3.4", "fd12:3456::1",
        "fc00::1", "fe80::1", "febf::1",
    ])
    func `a private address is the local network, for a reader in one`(_ address: String) {
        #expect(Self.place(address, from: "192.168.1.77") == "your local network")
        let far = Self.place(address, from: "198.51.100.9")
        #expect(far == "the server’s own network", "an attacker near the server is not near them")
    }

    @Test(arguments: [
        "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.1.1", "192.169.1.1", "169.253.1.1",
        "203.0.113.7", "128.0.0.1", "fec0::1", "2001:db8::1", "fb00::1", "fe00::1", "::2",
    ])
    func `any other address is shown itself`(_ address: String) {
        for visitor in ["127.0.0.1", "192.168.1.77", "203.0.113.7"] {
            #expect(Self.place(address, from: visitor) == address)
        }
    }

    @Test func `the account centre says places in the same words, and an address far from the reader by its network`() {
        let place = { AccountWords.place($0, seenFrom: $1, in: .english) }
        for (address, visitor) in [("127.0.0.1", "127.0.0.1"), ("192.168.1.20", "10.0.0.1"), ("::1", "fe80::1")] {
            #expect(place(address, visitor) == Self.place(address, from: visitor))
        }
        #expect(place("127.0.0.1", "203.0.113.7") == nil && place("10.0.0.1", "203.0.113.7") == nil)
        #expect(place("203.0.113.7", "127.0.0.1")?.contains("203.0.") == true)
        #expect(place(nil, "127.0.0.1") == nil && place("127.0.0.1", "") == nil)
    }

    @Test func `browser and system are a phrase in each language, and what is unknown is left out`() {
        let phrases = ["de": "unter", "en": "on", "es": "en", "fr": "sur", "sv": "på"]
        for texts in LocalizedStrings.builtIn {
            let phrase = OriginText.agent("Firefox, Windows", in: texts)
            #expect(phrase.hasPrefix("Firefox ") && phrase.hasSuffix(" Windows") && !phrase.contains(","))
            if let word = phrases[texts.language] { #expect(phrase == "Firefox \(word) Windows") }
        }
        #expect(OriginText.agent("iPhone", in: .english) == "iPhone")
        let rows = { (address: String, agent: String) in
            OriginText.rows(address: address, agent: agent, seenFrom: nil, in: .english).map(\.label)
        }
        #expect(rows("", "").isEmpty)
        #expect(rows("203.0.113.7", "") == ["Started from"] && rows("", "Firefox, Linux") == ["With"])
    }
}
