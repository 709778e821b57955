import Kernel
import Testing

@testable import Outbound

/// The addresses to which requests to clients' endpoints may connect.
struct AddressRuleTests {
    // The first and the last address of each block.
    // O-127
    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.0.1", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.8",
        "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255",
        "198.51.100.1", "203.0.113.1", "168.63.129.16", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255",
    ])
    func `attack: an IPv4 address that is not public is refused, also when it is mapped into IPv6`(
        text: String
    ) throws {
        for spelling in [text, "::ffff:\(text)"] {
            let address = try #require(NetworkAddress(spelling))
            #expect(!AddressRule().allows(address), "\(spelling)")
        }
    }

    // O-127
    @Test(arguments: [
        "::", "::1", "::127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254",
        "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1", "2002:a9fe:a9fe::1", "3fff::1",
        "5f00::1", "fc00::1", "fd00:ec2::254", "fdff:ffff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
        "4000::1",
    ])
    func `attack: an IPv6 address that is not public is refused`(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(!AddressRule().allows(address))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00::1", "64:ff9b::1.1.1.1",
        "::ffff:1.1.1.1",
    ])
    func `a public address is allowed`(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(AddressRule().allows(address))
    }

    @Test func `a block that the operator names is allowed, and no other`() throws {
        let rule = AddressRule(allowing: [try AddressBlock("10.1.0.0/16"), try AddressBlock("fd12::/32")])
        for (text, isAllowed) in [
            ("10.1.2.3", true), ("::ffff:10.1.2.3", true), ("10.2.0.1", false), ("fd12::1", true), ("fd13::1", false),
            ("127.0.0.1", false),
        ] {
            let address = try #require(NetworkAddress(text))
            #expect(rule.allows(address) == isAllowed, "\(text)")
        }
    }
}
