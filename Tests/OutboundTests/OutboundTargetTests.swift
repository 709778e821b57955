import Testing

@testable import Outbound

struct OutboundTargetTests {
    @Test(arguments: [
        ("https://user:s3cr3t@example.com/path?token=s3cr3t#s3cr3t", "example.com:443"),
        ("http://example.com", "example.com:80"), ("http://example.com:8081?q=1:2", "example.com:8081"),
        ("http://[::1]/a:b", "[::1]:80"), ("https://[::1]:8443/", "[::1]:8443"),
    ])
    func `a location is host and port, and nothing else of a URL`(_ url: String, _ location: String) {
        #expect(OutboundTarget.url(url).location == location)
    }

    @Test func `the location of a socket is its file`() {
        #expect(OutboundTarget.unixSocket(file: "/run/a.sock", path: "/p?q=1").location == "/run/a.sock")
    }
}
