import Kernel
import Testing

struct Base64URLTests {
    @Test(
        arguments: [
            ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"),
            ([0xFB, 0xFF, 0xFE], "-__-"),
        ] as [([UInt8], String)]
    )
    func `encodes without padding in the URL-safe alphabet, and back`(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test(arguments: ["Z", "Zg==", "Zh", "Zm9", "a+b/", "Zm 9v", "Zm9v\n", "Zé"])
    func `refuses padding, other alphabets, stray bits and stray characters`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `every length of random bytes comes back`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}
