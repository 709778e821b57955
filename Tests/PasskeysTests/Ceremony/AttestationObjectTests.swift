import Testing

@testable import Passkeys

struct AttestationObjectTests {
    private func fault(_ bytes: [UInt8]) -> AttestationObjectError? {
        do throws(AttestationObjectError) {
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

    /// In the order that they have.
    private func map(_ pairs: [(CBORValue, CBORValue)]) -> CBORValue {
        .map(CBORMap(pairs.map { CBORMap.Entry(key: $0.0, value: $0.1) }))
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `the members come in any order, as Windows Hello of 2018 and IBM's authenticator have them`(
        _ order: [Int]
    ) throws {
        let read = try AttestationObject(CBORWriter.bytes(map(order.map { Self.members[$0] })))
        #expect(read == (try AttestationObject(object(Self.members))))
    }

    @Test func `the members of a statement come in any order`() throws {
        var members = Self.members
        members[1].1 = map([
            (.text("x5c"), .array([])), (.text("ver"), .text("2.0")), (.text("sig"), .bytes([1])),
            (.text("alg"), .negative(6)),
        ])
        let read = try AttestationObject(object(members)).statement.members
        #expect(read.entries.compactMap(\.key.textString) == ["x5c", "ver", "sig", "alg"])
        #expect(read["alg"]?.integer == -7 && read["sig"]?.byteString == [1])
    }

    // T-131
    @Test func `attack: a repeated member of an attestation object or its statement is refused`() {
        let twice = Self.members + [(.text("fmt"), .text("packed"))]
        #expect(fault(CBORWriter.bytes(map(twice))) == .notCBOR(.duplicateKey))
        var members = Self.members
        members[1].1 = map([(.text("sig"), .bytes([1])), (.text("alg"), .negative(6)), (.text("sig"), .bytes([2]))])
        #expect(fault(CBORWriter.bytes(map(members))) == .notCBOR(.duplicateKey))
    }

    // T-131
    @Test func `attack: non-canonical CBOR inside the authenticator data is refused`() throws {
        let entries = try CredentialKey.make(.es256).parameters.entries
        let backwards = CBORWriter.bytes(.map(CBORMap(entries.reversed())))
        var members = Self.members
        members[2].1 = .bytes(
            AuthenticatorDataParts(flags: [.userPresent, .attestedCredential], publicKey: backwards).bytes
        )
        #expect(fault(object(members)) == .authenticatorData(.publicKey(.keyOrder)))
        var parts = AuthenticatorDataParts(flags: [.userPresent, .extensions])
        parts.extensions = CBORWriter.bytes(map([(.text("credProtect"), .unsigned(1)), (.text("a"), .unsigned(1))]))
        members[2].1 = .bytes(parts.bytes)
        #expect(fault(object(members)) == .authenticatorData(.extensions(.keyOrder)))
    }

    // T-131
    @Test func `it has definite and shortest lengths, is whole, and holds authenticator data`() throws {
        let whole = object(Self.members)
        // The same map of indefinite length, and with its count in two bytes.
        #expect(fault([0xBF] + whole.dropFirst() + [0xFF]) == .notCBOR(.indefiniteLength))
        #expect(fault([0xB8, 0x03] + whole.dropFirst()) == .notCBOR(.notShortest))
        #expect(fault(object(Self.members) + [0]) == .notCBOR(.trailingBytes))
        #expect(fault(Array(object(Self.members).dropLast())) == .notCBOR(.truncated))
        #expect(fault([]) == .notCBOR(.truncated))
        var members = Self.members
        members[2].1 = .bytes([1, 2, 3])
        #expect(fault(object(members)) == .authenticatorData(.truncated))
    }
}
