import Testing

@testable import Passkeys

/// Which origins can be configured, and for which RP ID.
struct OriginTests {
    private func fault(_ text: String) -> OriginError? {
        do throws(OriginError) {
            _ = try Origin(text)
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        "https://example.com", "https://example.com:8443", "https://login.xn--bcher-kva.example", "http://localhost",
        "http://localhost:3000", "http://app.localhost:8080",
        "android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw",
    ])
    func `an origin as a browser or an app writes it is accepted`(_ text: String) {
        #expect(fault(text) == nil)
    }

    private static let refused: [(String, OriginError)] = [
        ("", .scheme), ("example.com", .scheme), ("ftp://example.com", .scheme), ("HTTPS://example.com", .scheme),
        ("https://", .host), ("https://Example.com", .host), ("https://example.com/", .host),
        ("https://example.com/login", .host), ("https://*.example.com", .host), ("https://exa mple.com", .host),
        ("https://user@example.com", .host), ("https://192.0.2.1", .host), ("https://[::1]", .host),
        ("https://example..com", .host), ("https://-example.com", .host), ("https://bücher.example", .host),
        ("https://example.com:1:2", .host), ("http://example.com", .insecure), ("http://localhost.example", .insecure),
        ("https://example.com:", .port), ("https://example.com:443", .port), ("http://localhost:80", .port),
        ("https://example.com:0", .port), ("https://example.com:08443", .port), ("https://example.com:65536", .port),
        ("https://example.com:+1", .port), ("android:apk-key-hash:", .keyHash),
        ("android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw=", .keyHash),
        ("android:apk-key-hash:AQID", .keyHash),
        ("android:apk-key-hash:9F:22:12", .keyHash),
    ]

    @Test(arguments: refused)
    func `anything else is refused, and why is told`(_ text: String, _ expected: OriginError) {
        #expect(fault(text) == expected)
    }

    private func fault(id: String, _ origins: [String], related: [String] = []) throws -> RelyingPartyError? {
        let origins = try origins.map { try Origin($0) }
        let related = try related.map { try Origin($0) }
        do throws(RelyingPartyError) {
            _ = try RelyingParty(id: id, name: "Example", origins: origins, relatedOrigins: related)
            return nil
        } catch { return error }
    }

    @Test func `origins are of the RP ID's domain, or related`() throws {
        #expect(try fault(id: "example.com", ["https://example.com", "https://a.b.example.com"]) == nil)
        let foreign = try Origin("https://notexample.com")
        #expect(try fault(id: "example.com", ["https://notexample.com"]) == .foreignOrigin(foreign))
        #expect(try fault(id: "login.example.com", ["https://example.com"]) != nil)
        #expect(try fault(id: "example.com", ["https://example.com"], related: ["https://example.net"]) == nil)
        let app = "android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw"
        #expect(try fault(id: "example.com", ["https://example.com", app]) == nil)
        #expect(try fault(id: "example.com", ["https://example.com"], related: [app]) == .relatedApp(Origin(app)))
        let plain = "http://localhost:3000"
        #expect(
            try fault(id: "example.com", ["https://example.com"], related: [plain]) == .relatedInsecure(Origin(plain))
        )
        #expect(try fault(id: "example.com", []) == .noOrigins)
    }

    @Test func `an origin is compared by its bytes`() throws {
        let hash = "android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw"
        let relyingParty = try RelyingParty.example()
        #expect(relyingParty.allows(origin: hash))
        // KELVIN SIGN, which Swift takes for the letter.
        let kelvin = hash.replacing("QOK01", with: "QO\u{212A}01")
        #expect(kelvin == hash)
        #expect(!relyingParty.allows(origin: kelvin))
        #expect(try !Origin(hash).isWritten(kelvin))
    }

    @Test(arguments: ["", "Example.com", "https://example.com", "example.com:443", "127.0.0.1", "::1", ".example.com"])
    func `an RP ID is a domain name`(_ id: String) throws {
        #expect(try fault(id: id, ["https://example.com"]) == .id)
    }
}
