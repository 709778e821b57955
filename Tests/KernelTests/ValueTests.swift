import Kernel
import Testing

struct SecretTests {
    // T-217
    @Test func `printing a secret does not reveal it`() {
        let secret = Secret("hunter2")
        #expect("\(secret)" == "<secret>")
        #expect(String(describing: secret) == "<secret>")
        #expect(String(reflecting: secret) == "<secret>")
        #expect(String(describing: [secret]).contains("hunter2") == false)
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(secret.expose() == "hunter2")
    }

    @Test func `equality is by content`() {
        #expect(Secret("a") == Secret("a"))
        #expect(Secret("a") != Secret("b"))
        #expect(Secret("a") != Secret("aa"))
    }
}

struct Digest256Tests {
    @Test func `takes exactly 32 bytes and gives them back`() throws {
        let bytes = (0..<32).map { UInt8($0 * 7 & 0xFF) }
        let digest = try #require(Digest256(bytes))
        #expect(digest.bytes == bytes)
        #expect(Digest256(bytes.dropLast()) == nil)
        #expect(Digest256(bytes + [1]) == nil)
    }

    @Test func `a difference in any byte is a difference`() throws {
        let bytes = [UInt8](repeating: 9, count: 32)
        let digest = try #require(Digest256(bytes))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(digest != Digest256(other))
        }
    }
}

struct InstantTests {
    @Test(arguments: [(1999, 1), (2000, 2), (-1, -1), (-1000, -1), (-1001, -2)] as [(Int64, Int64)])
    func `seconds are rounded down`(milliseconds: Int64, seconds: Int64) {
        #expect(Instant(milliseconds: milliseconds).seconds == seconds)
    }

    @Test func `a time that a client is told is rounded up`() {
        #expect(Duration.milliseconds(1).secondsRoundedUp == 1)
        #expect(Duration.milliseconds(1000).secondsRoundedUp == 1)
        #expect(Duration.milliseconds(1001).secondsRoundedUp == 2)
        #expect(Duration.zero.secondsRoundedUp == 0)
    }
}
