import Kernel
import Testing
import TokenReading

@testable import Tokens

struct TokenBufferTests {
    @Test func `base64url is as Kernel writes it, for every remainder`() {
        for count in 0...130 {
            let input = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ count &* 37) }
            var buffer = TokenBuffer(capacity: 0)
            buffer.append(base64URL: input)
            #expect(buffer.text == Base64URL.encode(input))
        }
    }
}
