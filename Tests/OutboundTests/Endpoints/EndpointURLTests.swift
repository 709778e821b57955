import Testing

@testable import Outbound

/// The hosts of endpoints' URLs.
struct EndpointURLTests {
    @Test(arguments: [
        ("https://app.example.com/logout?a=b@c", "app.example.com"), ("https://app.example.com", "app.example.com"),
        ("http://127.0.0.1:8080/x", "127.0.0.1"), ("https://[::1]:8443/x", "::1"), ("https://[fd00::1]", "fd00::1"),
        ("https://app.example.com?x=1", "app.example.com"),
    ])
    func `the host is that of the authority`(url: String, host: String) {
        #expect(EndpointURL(url)?.host == host)
    }

    @Test(arguments: [
        "https://user@app.example.com/", "https://app.example.com@169.254.169.254/", "https://app.example.com\\@x/",
        "https://APP.example.com/", "https://app.example.com%2eevil.example/", "https://app.example.com:0/",
        "https://app.example.com:65536/", "https://app.example.com:8o/", "https://app.example.com:/", "https:///x",
        "https://", "ftp://app.example.com/", "//app.example.com/", "https://[fe80::1%25eth0]/", "https://[::1",
        "https://[1.2.3.4]/", "https://[::1]x/", "https://ex ample.com/", "https://app.example.com\n.evil.example/",
        "https://пример.example/",
    ])
    func `attack: a URL that two readers may read differently has no host`(url: String) {
        #expect(EndpointURL(url) == nil)
    }
}
