import Foundation
import SwiftASN1
import Testing
import X509

@testable import Passkeys

@Suite struct TrustAnchorsTests {
    private let first: Certificate
    private let second: Certificate

    init() throws {
        first = try TestAuthority(.authority("First")).certificate
        second = try TestAuthority(.authority("Second")).certificate
    }

    @Test func `a file has one certificate in DER or several in PEM`() throws {
        let anchors = try TrustAnchors(files: [
            .init(name: "first.der", bytes: try first.der()),
            .init(name: "both.pem", bytes: try pem(first, second)),
        ])
        #expect(anchors.certificates == [first, first, second])
        #expect(anchors.count == 3)
    }

    @Test func `lines may have other line ends, and text may be between them`() throws {
        let text = "Example root\n" + String(decoding: try pem(first, second), as: UTF8.self)
        let anchors = try TrustAnchors(files: [
            .init(name: "a.pem", bytes: Array(text.replacing("\n", with: "\r\n").utf8))
        ])
        #expect(anchors.certificates == [first, second])
    }

    @Test func `a file that can't be an anchor is named, every file at once`() throws {
        let unknown = Certificate.Extension.test("1.3.6.1.4.1.99999.1", [0x05, 0x00], critical: true)
        let odd = try TestAuthority(.authority("Odd").adding(unknown)).certificate
        let key = PEMDocument(type: "PRIVATE KEY", derBytes: [0x30, 0x00]).pemString
        let files: [(String, [UInt8], TrustAnchorError.FileError)] = [
            ("empty.pem", [], .noCertificate),
            ("notes.txt", Array("nothing".utf8), .noCertificate),
            ("key.pem", Array((key + "\n").utf8), .notCertificate),
            ("half.der", Array(try first.der().dropLast()), .unreadable),
            ("more.der", try first.der() + [0], .unreadable),
            ("half.pem", Array(try pem(first).dropLast(40)), .unreadable),
            ("binary", [0xFF, 0xFE], .unreadable),
            ("odd.der", try odd.der(), .criticalExtension),
            ("long", Array(repeating: 0x30, count: TrustAnchors.maximumFileLength + 1), .tooLong),
        ]
        let good = TrustAnchors.File(name: "good.pem", bytes: try pem(first))
        let expected = TrustAnchorErrors(faults: files.map { TrustAnchorError(file: $0.0, kind: $0.2) })
        #expect(throws: expected) {
            try TrustAnchors(files: [good] + files.map { TrustAnchors.File(name: $0.0, bytes: $0.1) })
        }
        for fault in expected.faults { #expect(fault.explanation.hasPrefix(fault.file)) }
    }

    @Test func `there are only so many`() throws {
        let file = TrustAnchors.File(name: "many.pem", bytes: try pem(first))
        let files = Array(repeating: file, count: TrustAnchors.maximumCount)
        #expect(try TrustAnchors(files: files).count == TrustAnchors.maximumCount)
        #expect(throws: TrustAnchorErrors(faults: [TrustAnchorError(file: "many.pem", kind: .tooMany)])) {
            try TrustAnchors(files: files + [file])
        }
    }

    private func pem(_ certificates: Certificate...) throws -> [UInt8] {
        let documents = try certificates.map { try $0.serializeAsPEM().pemString + "\n" }
        return Array(documents.joined().utf8)
    }
}
