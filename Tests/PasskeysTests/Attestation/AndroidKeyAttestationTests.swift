import Crypto
import Foundation
import Testing
import X509

@testable import Passkeys

@Suite struct AndroidKeyAttestationTests {
    private let hardware = AndroidKeyFormat(.hardware)
    private let anything = AndroidKeyFormat(.any)

    @Test(arguments: [1, 2])
    func `a key of the secure hardware holds`(level: Int) throws {
        var statement = AndroidStatement()
        statement.securityLevel = level
        let result = try hardware.verify(try statement.input())
        #expect(result.type == .basic)
        #expect(result.trustPath.count == 1)
        #expect(anything.fault(try statement.input()) == nil)
    }

    @Test(arguments: [0, 3, -1])
    func `a key of the system's software is taken only where it may be`(level: Int) throws {
        var statement = AndroidStatement()
        statement.securityLevel = level
        #expect(hardware.fault(try statement.input()) == .androidSecurityLevel)
        #expect(anything.fault(try statement.input()) == nil)
    }

    @Test func `a signature over other data is refused`() throws {
        var statement = AndroidStatement()
        statement.signedBytes = [1, 2, 3]
        #expect(hardware.fault(try statement.input()) == .signatureInvalid)
    }

    @Test func `the certificate is of the credential's key`() throws {
        // The certificate's key signs, so that only the comparison is left.
        let credential = TestCredential()
        let other = TestCredential()
        var statement = AndroidStatement()
        statement.key = other.key.publicKey
        var input = try statement.input(credential)
        #expect(hardware.fault(input) == .signatureInvalid)
        let certificates = try #require(input.statement.members["x5c"]?.elements)
        input = try credential.input(
            "android-key",
            ["alg": .negative(6), "sig": try other.key.sign(credential.signedBytes), "x5c": .array(certificates)]
        )
        #expect(hardware.fault(input) == .publicKeyMismatch)
    }

    @Test func `the algorithm is one of the key`() throws {
        var statement = AndroidStatement()
        statement.algorithm = .negative(34)
        #expect(hardware.fault(try statement.input()) == .algorithmMismatch)
    }

    @Test func `a certificate without a description of the key is refused`() throws {
        var statement = AndroidStatement()
        statement.isDescribed = false
        #expect(hardware.fault(try statement.input()) == .androidKeyDescription)
    }

    @Test func `a description with more or less than it has is refused`() throws {
        var statement = AndroidStatement()
        statement.behind = [0x05, 0x00]
        #expect(hardware.fault(try statement.input()) == .androidKeyDescription)
        statement.behind = []
        // [702] again, and one without a tag.
        statement.hardware.more = [0xBF, 0x85, 0x3E, 0x03, 0x02, 0x01, 0x00]
        #expect(hardware.fault(try statement.input()) == .androidKeyDescription)
        statement.hardware.more = [0x05, 0x00]
        #expect(hardware.fault(try statement.input()) == .androidKeyDescription)
        let whole = try AndroidStatement().description(TestCredential())
        for length in 0..<whole.count { #expect(AndroidKeyDescription(whole[..<length]) == nil) }
    }

    @Test func `fields that nothing hangs on are passed over`() throws {
        var statement = AndroidStatement()
        // [704] rootOfTrust, whatever is in it.
        statement.hardware.more = [0xBF, 0x85, 0x40, 0x02, 0x30, 0x00]
        #expect(hardware.fault(try statement.input()) == nil)
    }

    @Test func `the challenge is the hash of the client data`() throws {
        var statement = AndroidStatement()
        statement.challenge = Array(SHA256.hash(data: [1]))
        #expect(hardware.fault(try statement.input()) == .androidChallenge)
        #expect(anything.fault(try statement.input()) == .androidChallenge)
    }

    @Test(arguments: [true, false])
    func `a key for every app is refused`(inHardware: Bool) throws {
        var statement = AndroidStatement()
        if inHardware { statement.hardware.allApplications = true } else { statement.software.allApplications = true }
        #expect(hardware.fault(try statement.input()) == .androidAllApplications)
        #expect(anything.fault(try statement.input()) == .androidAllApplications)
    }

    @Test func `a key that was imported is refused`() throws {
        var statement = AndroidStatement()
        // KM_ORIGIN_IMPORTED
        statement.hardware.origin = 2
        #expect(hardware.fault(try statement.input()) == .androidOrigin)
        #expect(anything.fault(try statement.input()) == .androidOrigin)
        statement.hardware.origin = 0
        statement.software.origin = 2
        #expect(anything.fault(try statement.input()) == .androidOrigin)
    }

    @Test func `the software's statement of a key's origin and purpose does not count as the hardware's`() throws {
        var statement = AndroidStatement()
        statement.hardware.origin = nil
        statement.software.origin = 0
        #expect(hardware.fault(try statement.input()) == .androidOrigin)
        #expect(anything.fault(try statement.input()) == nil)
        statement.hardware.origin = 0
        statement.hardware.purposes = nil
        statement.software.purposes = [2]
        #expect(hardware.fault(try statement.input()) == .androidPurpose)
        #expect(anything.fault(try statement.input()) == nil)
    }

    @Test(arguments: [[], [0, 1], [3]])
    func `a key that is not for signing is refused`(purposes: [Int]) throws {
        var statement = AndroidStatement()
        statement.hardware.purposes = purposes
        #expect(hardware.fault(try statement.input()) == .androidPurpose)
        #expect(anything.fault(try statement.input()) == .androidPurpose)
    }

    @Test(arguments: [[1, 2], [2, 3], [2, 7], [2, 2]])
    func `a key in secure hardware is for signing and for nothing else`(purposes: [Int]) throws {
        var statement = AndroidStatement()
        statement.hardware.purposes = purposes
        #expect(hardware.fault(try statement.input()) == .androidPurpose)
        #expect(anything.fault(try statement.input()) == nil)
    }

    @Test func `software that says nothing of a key is taken only where software is`() throws {
        var statement = AndroidStatement()
        statement.hardware = AndroidStatement.AuthorizationList()
        #expect(hardware.fault(try statement.input()) == .androidOrigin)
        #expect(anything.fault(try statement.input()) == nil)
    }
}
