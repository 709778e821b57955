import Testing

@testable import Passkeys

struct AttestationObjectTests {
    private func fault(_ bytes: [UInt8]) -> AttestationObjectFault? {
        do throws(AttestationObjectFault) {
            _ = try AttestationObject(bytes)
            return nil
        } catch { return error }
    }

    private func object(_ pairs: [(CBORValue, CBORValue)]) -> [UInt8] { CBORWriter.bytes(.map(CBORMap(pairs))) }

    private static let data = AuthenticatorDataParts(flags: [.userPresent]).bytes
    private static let members: [(CBORValue, CBORValue)] = [
        (.text("fmt"), .text("none")), (.text("attStmt"), .map(CBORMap())), (.text("authData"), .bytes(data)),
    ]

    @Test func `the three members are read`() throws {
        let read = try AttestationObject(object(Self.members))
        #expect(read.statement == AttestationStatement(format: "none", members: CBORMap()))
        #expect(read.authenticatorData.bytes == Self.data)
    }

    @Test(arguments: 0..<3)
    func `each of them is needed, of its kind, and there is no other`(_ index: Int) {
        var members = Self.members
        members[index].1 = .unsigned(1)
        #expect(fault(object(members)) == .malformed)
        members.remove(at: index)
        #expect(fault(object(members)) == .malformed)
        #expect(fault(object(Self.members + [(.text("epAtt"), .bool(true))])) == .malformed)
    }

    @Test func `it is canonical, whole, and holds authenticator data`() {
        #expect(fault(object(Self.members) + [0]) == .notCBOR(.trailingBytes))
        #expect(fault(Array(object(Self.members).dropLast())) == .notCBOR(.truncated))
        #expect(fault([]) == .notCBOR(.truncated))
        var members = Self.members
        members[2].1 = .bytes([1, 2, 3])
        #expect(fault(object(members)) == .authenticatorData(.truncated))
    }
}
