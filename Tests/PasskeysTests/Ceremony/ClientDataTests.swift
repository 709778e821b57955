import Testing

@testable import Passkeys

struct ClientDataTests {
    private func fault(_ bytes: [UInt8]) -> ClientDataError? {
        do throws(ClientDataError) {
            _ = try ClientData(bytes)
            return nil
        } catch { return error }
    }

    @Test func `the members are read, and others are passed over`() throws {
        var parts = ClientDataParts(type: "webauthn.get", challenge: [1, 2, 3])
        parts.others = #","extraData":{"deep":[1,2,{"a":null}]},"tokenBinding":{"status":"supported"}"#
        let plain = try ClientData(parts.bytes)
        #expect(plain.type == "webauthn.get" && plain.challenge == "AQID" && plain.origin == "https://example.com")
        #expect(!plain.isCrossOrigin && plain.topOrigin == nil)
        parts.crossOrigin = "true"
        parts.topOrigin = "https://shop.example"
        let framed = try ClientData(parts.bytes)
        #expect(framed.isCrossOrigin && framed.topOrigin == "https://shop.example")
        parts.crossOrigin = nil
        let old = try ClientData(parts.bytes)
        #expect(!old.isCrossOrigin)
    }

    @Test func `a byte order mark is taken away, once and in front only`() throws {
        let bytes = ClientDataParts(type: "webauthn.get", challenge: [1]).bytes
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try ClientData(mark + bytes) == ClientData(bytes))
        #expect(fault(mark + mark + bytes) == .malformed)
        #expect(fault(bytes + mark) == .malformed)
    }

    @Test func `attack: client data with a repeated member is refused, also when its name is escaped`() {
        var parts = ClientDataParts(type: "webauthn.get", challenge: [1])
        parts.origin = "https://evil.example"
        parts.others = #","orig\u0069n":"https://example.com""#
        #expect(fault(parts.bytes) == .malformed)
    }

    @Test func `attack: client data that is too long or nested too deep is refused`() {
        var parts = ClientDataParts(type: "webauthn.get", challenge: [1])
        parts.others = #","a":""# + String(repeating: "x", count: ClientData.maximumLength) + "\""
        #expect(fault(parts.bytes) == .malformed)
        parts.others = #","a":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(fault(parts.bytes) == .malformed)
    }

    @Test(arguments: [#""true""#, "1", "null", "[]"])
    func `crossOrigin is true, false or absent`(_ value: String) {
        var parts = ClientDataParts(type: "webauthn.get", challenge: [1])
        parts.crossOrigin = value
        #expect(fault(parts.bytes) == .malformed)
    }
}
