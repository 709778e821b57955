import Crypto
import CryptoExtras
import Foundation
import Kernel
import X509

@testable import Passkeys

/// A metadata service of a test: it signs BLOBs as FIDO's does.
struct MetadataService {
    static let host = "mds.example.com"
    static let now = Instant.test("2026-11-22")

    let root: TestAuthority
    let issuer: TestAuthority
    var number = "7"
    var nextUpdate = "\"2026-12-01\""
    var entries = "[]"
    /// Members of the header beside `x5c`.
    var header = "\"alg\":\"ES256\",\"typ\":\"JWT\""
    var key = P256.Signing.PrivateKey()
    var names: [GeneralName] = [.dnsName("mds.example.com")]

    init() throws {
        root = try TestAuthority(.authority("Metadata Root"))
        issuer = try root.intermediate(.authority("Metadata Issuer"))
    }

    var payload: String {
        "{\"legalHeader\":\"\",\"no\":\(number),\"nextUpdate\":\(nextUpdate),\"entries\":\(entries)}"
    }

    func blob() throws -> [UInt8] {
        let leaf = try certificate(Certificate.PublicKey(key.publicKey))
        let signing = signingInput(payload: payload, try x5c([leaf, issuer.certificate]))
        return sealed(signing, Array(try key.signature(for: signing).rawRepresentation))
    }

    func certificate(_ key: Certificate.PublicKey) throws -> Certificate {
        var recipe = CertificateRecipe.packed()
        recipe.subject = .test(commonName: "mds")
        return try issuer.issue(recipe.adding(.test(names, critical: false)), to: key)
    }

    func signingInput(payload: String, _ x5c: String) -> [UInt8] {
        let header = "{\(header)\(x5c)}"
        return Array("\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(payload.utf8)))".utf8)
    }

    func sealed(_ signing: [UInt8], _ signature: [UInt8]) -> [UInt8] {
        signing + [UInt8(ascii: ".")] + Array(Base64URL.encode(signature).utf8)
    }

    func x5c(_ path: [Certificate]) throws -> String {
        let texts = try path.map { "\"\(Data(try $0.der()).base64EncodedString())\"" }
        return ",\"x5c\":[\(texts.joined(separator: ","))]"
    }

    func read(_ bytes: [UInt8], latest: Int64? = nil, now: Instant = now) async throws -> MetadataBlob {
        let roots = try TrustAnchors(files: [.init(name: "root", bytes: try root.certificate.der())])
        return try await MetadataBlob.verified(bytes, roots: roots, signer: Self.host, latest: latest, now: now)
    }

    func fault(_ bytes: [UInt8], latest: Int64? = nil, now: Instant = now) async throws -> MetadataError? {
        do {
            _ = try await read(bytes, latest: latest, now: now)
            return nil
        } catch let fault as MetadataError { return fault }
    }
}

/// An entry of the metadata, as JSON.
struct MetadataModel {
    var aaguid: String? = "01020304-0506-0708-090a-0b0c0d0e0f10"
    var keyIdentifiers: [String] = []
    var types = ["basic_full"]
    var roots: [Certificate] = []
    var unreadable: [String] = []
    /// Each as JSON.
    var reports = ["{\"status\":\"FIDO_CERTIFIED_L1\",\"effectiveDate\":\"2024-01-01\"}"]

    func json() throws -> String {
        let certificates = try roots.map { Data(try $0.der()).base64EncodedString() } + unreadable
        var members = ["\"statusReports\":[\(reports.joined(separator: ","))]"]
        if let aaguid { members.append("\"aaguid\":\"\(aaguid)\"") }
        if !keyIdentifiers.isEmpty {
            members.append("\"attestationCertificateKeyIdentifiers\":\(Self.list(keyIdentifiers))")
        }
        members.append(
            """
            "metadataStatement":{"description":"Example Key","attestationTypes":\(Self.list(types)),\
            "attestationRootCertificates":\(Self.list(certificates)),"icon":"data:image/png;base64,AA=="}
            """
        )
        return "{\(members.joined(separator: ","))}"
    }

    private static func list(_ texts: [String]) -> String {
        "[\(texts.map { "\"\($0)\"" }.joined(separator: ","))]"
    }
}
