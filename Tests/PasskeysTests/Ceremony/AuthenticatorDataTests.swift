import Crypto
import Testing

@testable import Passkeys

struct AuthenticatorDataTests {
    private func fault(_ bytes: [UInt8]) -> AuthenticatorDataError? {
        do throws(AuthenticatorDataError) {
            _ = try AuthenticatorData(bytes)
            return nil
        } catch { return error }
    }

    private func parts(_ flags: AuthenticatorData.Flags) throws -> AuthenticatorDataParts {
        AuthenticatorDataParts(flags: flags, signCount: 0x0102_0304, publicKey: try CredentialKey.make(.es256).cose)
    }

    @Test func `all optional parts are read`() throws {
        var parts = try parts([.userPresent, .attestedCredential, .extensions])
        parts.extensions = CBORWriter.bytes(.map(CBORMap([(.text("credProtect"), .unsigned(2))])))
        let data = try AuthenticatorData(parts.bytes)
        #expect(data.bytes == parts.bytes)
        #expect(data.rpIDHash == Array(SHA256.hash(data: Array("example.com".utf8))))
        #expect(data.flags == [.userPresent, .attestedCredential, .extensions] && data.signCount == 0x0102_0304)
        #expect(data.credential?.id.bytes == parts.credentialID && data.credential?.aaguid.bytes == parts.aaguid)
        #expect(data.credential?.publicKeyBytes == parts.publicKey)
        #expect(data.extensions["credProtect"] == .unsigned(2))
    }

    @Test func `reserved bits are not looked at`() throws {
        var parts = try parts([.userPresent])
        parts.flags = AuthenticatorData.Flags(rawValue: 0b0010_0011)
        #expect(try AuthenticatorData(parts.bytes).flags.contains(.userPresent))
    }

    @Test func `it is complete wherever it ends, and nothing may follow it`() throws {
        let parts = try parts([.userPresent, .attestedCredential, .extensions])
        for count in 0..<parts.bytes.count {
            #expect(fault(Array(parts.bytes.prefix(count))) != nil, "\(count) bytes")
        }
        #expect(fault(parts.bytes) == nil)
        #expect(fault(parts.bytes + [0]) == .trailingBytes)
    }

    @Test func `flags without their part, and parts without their flag, are refused`() throws {
        let bare = try parts([.userPresent]).bytes
        var announced = bare
        announced[32] |= AuthenticatorData.Flags.attestedCredential.rawValue
        #expect(fault(announced) == .truncated)
        announced[32] = AuthenticatorData.Flags.extensions.rawValue
        #expect(fault(announced) == .extensions(.truncated))
        var unannounced = try parts([.userPresent, .attestedCredential]).bytes
        unannounced[32] = AuthenticatorData.Flags.userPresent.rawValue
        #expect(fault(unannounced) == .trailingBytes)
    }

    @Test func `the parts are of their kinds`() throws {
        var parts = try parts([.attestedCredential, .extensions])
        parts.extensions = [0x80]
        #expect(fault(parts.bytes) == .extensionsType)
        parts.flags = [.attestedCredential]
        parts.publicKey = [0x01]
        #expect(fault(parts.bytes) == .publicKeyType)
        parts.publicKey = [0xBF, 0xFF]
        #expect(fault(parts.bytes) == .publicKey(.indefiniteLength))
        parts.credentialID = []
        #expect(fault(parts.bytes) == .credentialID)
    }

    @Test func `attack: a credential id length beyond the data is refused as truncated`() throws {
        var bytes = try parts([.attestedCredential]).bytes
        bytes[53] = 0xFF
        bytes[54] = 0xFF
        #expect(fault(bytes) == .truncated)
    }

    @Test func `an AAGUID is written as a UUID`() throws {
        let aaguid = try AAGUID.example(Array(0x70...0x7F))
        #expect(aaguid.text == "70717273-7475-7677-7879-7a7b7c7d7e7f" && !aaguid.isZero)
        #expect(try AAGUID.example(Array(repeating: 0, count: 16)).isZero)
        #expect(AAGUID([1]) == nil)
    }

    @Test func `a credential's id is base64url of 1 to 1023 bytes`() {
        #expect(CredentialID(text: "AQID")?.bytes == [1, 2, 3])
        #expect(CredentialID([1, 2, 3]).text == "AQID")
        #expect(CredentialID(text: "") == nil && CredentialID(text: "AQ==") == nil && CredentialID(text: "a+b/") == nil)
        #expect(CredentialID(text: CredentialID(Array(repeating: 0, count: 1023)).text) != nil)
        #expect(CredentialID(text: CredentialID(Array(repeating: 0, count: 1024)).text) == nil)
    }
}
