import Crypto
import CryptoExtras
import Foundation
import Kernel
import Testing
import X509

@testable import Passkeys

@Suite struct MetadataBlobTests {
    private var service: MetadataService

    init() throws { service = try MetadataService() }

    @Test func `a BLOB that the service signed is taken`() async throws {
        var service = service
        let uaf = "{\"aaid\":\"1234#5678\",\"statusReports\":[]}"
        var model = MetadataModel()
        model.unreadable = ["AAAA"]
        service.entries = "[\(try model.json()),\(uaf)]"
        let blob = try await service.read(try service.blob())
        #expect(blob.number == 7)
        #expect(blob.nextUpdate == .test("2026-12-02"))
        #expect(blob.count == 1)
        #expect(blob.unreadableAnchors == 1)
    }

    @Test func `a line end behind it is none of it`() async throws {
        #expect(try await service.fault(try service.blob() + [0x0D, 0x0A]) == nil)
        #expect(try await service.fault(try service.blob() + [0x0A, 0x41]) == .malformed)
    }

    @Test func `RS256 signs it too`() async throws {
        var service = service
        service.header = "\"alg\":\"RS256\""
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let leaf = try service.certificate(Certificate.PublicKey(key.publicKey))
        let signing = service.signingInput(
            payload: service.payload,
            try service.x5c([leaf, service.issuer.certificate])
        )
        let digest = SHA256.hash(data: signing)
        let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
        #expect(try await service.fault(service.sealed(signing, Array(signature))) == nil)
        // The other padding is another algorithm.
        let pss = try key.signature(for: digest, padding: .PSS).rawRepresentation
        #expect(try await service.fault(service.sealed(signing, Array(pss))) == .signature)
    }

    @Test func `a change behind the signature is refused`() async throws {
        let leaf = try service.certificate(Certificate.PublicKey(service.key.publicKey))
        let x5c = try service.x5c([leaf, service.issuer.certificate])
        let signing = service.signingInput(payload: service.payload, x5c)
        let signature = Array(try service.key.signature(for: signing).rawRepresentation)
        let other = service.signingInput(payload: service.payload + " ", x5c)
        #expect(try await service.fault(service.sealed(other, signature)) == .signature)
        #expect(try await service.fault(service.sealed(signing, [])) == .signature)
        #expect(try await service.fault(service.sealed(signing, Array(signature.dropLast()))) == .signature)
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c.d", "e30.e30.!", "W10.e30.AA", "e30.e30.AA"])
    func `anything but signed JSON is refused`(text: String) async throws {
        #expect(try await service.fault(Array(text.utf8)) == .malformed)
    }

    @Test(arguments: [
        ("\"alg\":\"ES256\",\"crit\":[\"b64\"]", MetadataError.header),
        ("\"alg\":\"ES256\",\"b64\":false", .header),
        ("\"alg\":\"ES256\",\"x5u\":\"https://example.com/\"", .header),
        ("\"alg\":1", .malformed),
        ("\"typ\":\"JWT\"", .malformed),
        ("\"alg\":\"none\"", .algorithm),
        ("\"alg\":\"HS256\"", .algorithm),
        ("\"alg\":\"ES384\"", .algorithm),
        ("\"alg\":\"RS256\"", .algorithm),
        ("\"alg\":\"ES256\",\"alg\":\"none\"", .malformed),
    ])
    func `a header that asks for anything else is refused`(header: String, fault: MetadataError) async throws {
        var service = service
        service.header = header
        #expect(try await service.fault(try service.blob()) == fault)
    }

    @Test(arguments: ["", ",\"x5c\":[]", ",\"x5c\":\"AAAA\"", ",\"x5c\":[1]", ",\"x5c\":[\"AAAA\"]"])
    func `a header without certificates is refused`(x5c: String) async throws {
        let signing = service.signingInput(payload: service.payload, x5c)
        let signature = Array(try service.key.signature(for: signing).rawRepresentation)
        #expect(try await service.fault(service.sealed(signing, signature)) == .certificates)
    }

    @Test func `a header is no longer than headers are`() async throws {
        var service = service
        service.header += ",\"kid\":\"\(String(repeating: "a", count: 40_000))\""
        #expect(try await service.fault(try service.blob()) == nil)
        service.header += ",\"more\":\"\(String(repeating: "a", count: 10_000))\""
        #expect(try await service.fault(try service.blob()) == .malformed)
    }

    @Test func `the certificates lead to the root`() async throws {
        let other = try MetadataService()
        #expect(try await service.fault(try other.blob()) == .chain(.untrusted))
        let expired = Instant.test("2041-01-01")
        #expect(try await service.fault(try service.blob(), now: expired) == .chain(.expired))
    }

    @Test(arguments: [[], [.dnsName("example.com")], [.rfc822Name("mds.example.com")]] as [[GeneralName]])
    func `another site under the same root is not the service`(names: [GeneralName]) async throws {
        var service = service
        service.names = names
        #expect(try await service.fault(try service.blob()) == .signer)
    }

    @Test(arguments: ["0007", "7.0", "\"7\"", "null"])
    func `a number that is none is refused`(number: String) async throws {
        var service = service
        service.number = number
        #expect(try await service.fault(try service.blob()) == .payload)
    }

    @Test func `an older BLOB is not taken again`() async throws {
        let blob = try service.blob()
        #expect(try await service.fault(blob, latest: 8) == .numberWentBack)
        #expect(try await service.fault(blob, latest: 7) == nil)
        #expect(try await service.fault(blob, latest: 6) == nil)
    }

    @Test func `a BLOB is good to the end of the day of the next`() async throws {
        let blob = try service.blob()
        #expect(try await service.fault(blob, now: .test("2026-12-02") - .seconds(1)) == nil)
        #expect(try await service.fault(blob, now: .test("2026-12-02")) == .overdue)
    }

    @Test(arguments: ["\"2026-12\"", "\"2026-13-01\"", "\"2026-12-32\"", "\"26-12-01\"", "\"2026-12-0a\"", "1", "null"])
    func `a day that is none is refused`(day: String) async throws {
        var service = service
        service.nextUpdate = day
        #expect(try await service.fault(try service.blob()) == .payload)
    }

    @Test(arguments: [
        "{}", "[1]", "[{}]", "[{\"aaguid\":1,\"statusReports\":[]}]", "[{\"aaguid\":\"\",\"statusReports\":[]}]",
        "[{\"aaguid\":\"01020304050607080910111213141516\",\"statusReports\":[]}]",
        "[{\"aaguid\":\"0102030g-0506-0708-090a-0b0c0d0e0f10\",\"statusReports\":[]}]",
        "[{\"aaguid\":\"01020304-0506-0708-090a-0b0c0d0e0f10\"}]",
        "[{\"aaguid\":\"01020304-0506-0708-090a-0b0c0d0e0f10\",\"statusReports\":[{}]}]",
        "[{\"aaguid\":\"01020304-0506-0708-090a-0b0c0d0e0f10\",\"statusReports\":[],\"metadataStatement\":[]}]",
    ])
    func `entries of another form are refused`(entries: String) async throws {
        var service = service
        service.entries = entries
        #expect(try await service.fault(try service.blob()) == .payload)
    }

    @Test(arguments: ["1970-01-01", "1999-12-31", "2000-02-29", "2024-02-29", "2024-03-01", "2026-11-22", "2100-03-01"])
    func `a day begins when the calendar says`(day: String) {
        #expect(MetadataDate.start(of: day) == .test(day))
    }
}
