import HTTPTypes
import Kernel
import Testing

@testable import HTTPAPI

/// The address that a request counts as.
struct ClientAddressTests {
    private static let proxy = "10.0.0.1"

    private func client(
        _ headers: HTTPFields,
        behind peer: String = proxy,
        trusting blocks: [String] = ["10.0.0.0/8", "2001:db8:aaaa::/48"]
    ) throws -> String {
        let addresses = ClientAddresses(trusting: try blocks.map { try AddressBlock($0) })
        return addresses.client(behind: try #require(NetworkAddress(peer)), headers).description
    }

    private static func forwarded(_ lines: String...) -> HTTPFields { fields("Forwarded", lines) }
    private static func common(_ lines: String...) -> HTTPFields { fields("X-Forwarded-For", lines) }

    private static func fields(_ name: String, _ lines: [String]) -> HTTPFields {
        HTTPFields(lines.compactMap { line in HTTPField.Name(name).map { HTTPField(name: $0, value: line) } })
    }

    @Test(arguments: [
        (Self.common("203.0.113.7"), "203.0.113.7"),
        (Self.common("203.0.113.7:4711"), "203.0.113.7"),
        (Self.common("198.51.100.1, 203.0.113.7"), "203.0.113.7"),
        (Self.common("198.51.100.1", "203.0.113.7"), "203.0.113.7"),
        (Self.common("203.0.113.7, 10.0.0.9, 10.1.2.3"), "203.0.113.7"),
        (Self.common("2001:db8::7"), "2001:db8::7"),
        (Self.common("[2001:db8::7]:443"), "2001:db8::7"),
        (Self.common("::ffff:203.0.113.7"), "203.0.113.7"),
        (Self.forwarded("for=203.0.113.7"), "203.0.113.7"),
        (Self.forwarded("For=\"203.0.113.7:4711\";proto=https;by=10.0.0.1"), "203.0.113.7"),
        (Self.forwarded("for=198.51.100.1, for=203.0.113.7;by=_gateway"), "203.0.113.7"),
        (Self.forwarded("proto=https;for=\"[2001:db8::7]:_port\""), "2001:db8::7"),
        (Self.forwarded("for=203.0.113.7", "for=\"[2001:db8:aaaa::1]\", for=10.0.0.9"), "203.0.113.7"),
        (Self.forwarded("for=203.0.113.7;;host=\"a,b;for=1.2.3.4\""), "203.0.113.7"),
    ])
    func `a trusted proxy is believed about the hop before it`(_ headers: HTTPFields, _ client: String) throws {
        #expect(try self.client(headers) == client)
    }

    @Test func `without a header, or with trusted hops alone, it is the proxy or the farthest of them`() throws {
        #expect(try client([:]) == Self.proxy)
        #expect(try client(Self.common("10.9.9.9, 10.0.0.2")) == "10.9.9.9")
    }

    // T-086, O-091
    @Test(arguments: ["203.0.113.9", "2001:db8:bbbb::1", "::ffff:203.0.113.9"])
    func `attack: X-Forwarded-For and Forwarded of an untrusted peer are ignored`(_ peer: String) throws {
        let own = try #require(NetworkAddress(peer)).description
        #expect(try client(Self.common("198.51.100.1"), behind: peer) == own)
        #expect(try client(Self.forwarded("for=198.51.100.1"), behind: peer) == own)
        #expect(try client(Self.forwarded("for=10.0.0.1"), behind: peer) == own)
    }

    // T-086
    @Test func `attack: by default no proxy is believed`() throws {
        #expect(try client(Self.common("198.51.100.1"), trusting: []) == Self.proxy)
        #expect(try client(Self.forwarded("for=198.51.100.1"), behind: "127.0.0.1", trusting: []) == "127.0.0.1")
    }

    @Test func `a proxy that is trusted as IPv4 is the same one mapped into IPv6`() throws {
        #expect(try client(Self.common("203.0.113.7"), behind: "::ffff:10.0.0.1") == "203.0.113.7")
    }

    // T-086, O-091
    @Test func `attack: entries left of the proxy's own in X-Forwarded-For are ignored`() throws {
        for left in ["1.2.3.4", "garbage", "", "10.0.0.1", "unknown", "for=\"", String(repeating: ",", count: 500)] {
            #expect(try client(Self.common("\(left), 203.0.113.7")) == "203.0.113.7", "\(left)")
        }
    }

    // T-086
    @Test func `attack: a hundred trusted hops give the proxy's own address`() throws {
        let trusted = Array(repeating: "10.0.0.2", count: 100).joined(separator: ", ")
        #expect(try client(Self.common(trusted)) == Self.proxy)
        #expect(try client(Self.common("198.51.100.1, " + trusted)) == Self.proxy)
        let outsiders = (0..<100).map { "198.51.100.\($0)" }.joined(separator: ", ")
        #expect(try client(Self.common(outsiders + ", 203.0.113.7")) == "203.0.113.7")
        let elements = Array(repeating: "for=10.0.0.2", count: 100).joined(separator: ",")
        #expect(try client(Self.forwarded("for=198.51.100.1," + elements)) == Self.proxy)
    }

    // T-086, O-091
    @Test func `attack: X-Forwarded-For and Forwarded that name two clients give the proxy's own address`() throws {
        let both = Self.common("203.0.113.7") + Self.forwarded("for=198.51.100.1")
        #expect(try client(both) == Self.proxy)
        #expect(try client(Self.common("203.0.113.7") + Self.forwarded("nonsense")) == Self.proxy)
        #expect(try client(Self.common("203.0.113.7") + Self.forwarded("for=203.0.113.7:8")) == "203.0.113.7")
    }

    // T-086
    @Test(arguments: [
        "for=\"203.0.113.7", "for=198.51.100.1, for=\"x, for=203.0.113.7", "for", "for=", "=203.0.113.7",
        "for=203.0.113.7;for=198.51.100.1", "for=unknown", "for=_hidden", "proto=https", "", "for=\"[203.0.113.7]\"",
        "for=\"[2001:db8::7\"", "for=\"2001:db8::7]:1\"", "for=203.0.113.7 for=198.51.100.1", "for=203.0.113.256",
        "for=\"203.0.113.7\\\"", "for=\"203.0.113.7:\"", "for=\"203.0.113.7\"x", "for=0x7f000001", "for=127.1",
    ])
    func `attack: an unreadable Forwarded header gives the proxy's own address`(_ line: String) throws {
        #expect(try client(Self.forwarded(line)) == Self.proxy)
        #expect(try client(Self.forwarded("for=198.51.100.1", line)) == Self.proxy)
    }

    // T-086
    @Test(arguments: ["unknown", "203.0.113", "203.0.113.7.8", "203.0.113.7/8", "fe80::1%eth0", "[203.0.113.7]", "::g"])
    func `attack: an invalid address in X-Forwarded-For gives the proxy's own address`(_ hop: String) throws {
        #expect(try client(Self.common(hop)) == Self.proxy)
        #expect(try client(Self.common("198.51.100.1, \(hop)")) == Self.proxy)
    }

    @Test func `a limit counts an IPv4 address, and the network of an IPv6 one`() throws {
        func counted(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(text)).counted }
        #expect(try counted("2001:db8:1:2::1") == counted("2001:db8:1:2:ffff:ffff:ffff:ffff"))
        #expect(try counted("2001:db8:1:2::1") != counted("2001:db8:1:3::1"))
        #expect(try counted("203.0.113.7") == counted("::ffff:203.0.113.7"))
        #expect(try counted("203.0.113.7") != counted("203.0.113.8"))
    }

    @Test(arguments: ["203.0.113.7", "2001:db8::1", "::1", "::", "fe80::1"])
    func `an address is written as it is read`(_ text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.description == text)
        #expect(address.bytes.count == 16)
    }

    @Test func `a block has its bits, and no loose ones`() throws {
        let block = try AddressBlock("192.168.16.0/20")
        #expect(block.contains(try #require(NetworkAddress("192.168.31.255"))))
        #expect(!block.contains(try #require(NetworkAddress("192.168.32.0"))))
        #expect(!block.contains(try #require(NetworkAddress("::1"))))
        #expect(try AddressBlock("::1").contains(try #require(NetworkAddress("::1"))))
        #expect(try AddressBlock("2001:db8::/65").contains(try #require(NetworkAddress("2001:db8::7fff:0:0:1"))))
        #expect(try !AddressBlock("2001:db8::/65").contains(try #require(NetworkAddress("2001:db8:0:0:8000::"))))
        #expect(try AddressBlock("0.0.0.0/0").isEverything && AddressBlock("::/0").isEverything)
        #expect(try !AddressBlock("128.0.0.0/1").isEverything)
        #expect(throws: AddressBlock.BlockError.looseBits(meant: "10.0.0.0/8")) { try AddressBlock("10.0.0.1/8") }
        for text in [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/-1", "10.0.0.0/08", "ten",
        ] {
            #expect(throws: AddressBlock.BlockError.malformed, "\(text)") { try AddressBlock(text) }
        }
    }
}

private func + (left: HTTPFields, right: HTTPFields) -> HTTPFields { HTTPFields(Array(left) + Array(right)) }
