import Foundation
import Testing
import TokenReading

@testable import Tokens

struct TokenBufferTests {
    @Test func `base64url is as Foundation writes it, for every remainder`() {
        for count in 0...130 {
            let input = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ count &* 37) }
            var buffer = TokenBuffer(capacity: 0)
            buffer.append(base64URL: input)
            let expected = Data(input).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            #expect(buffer.text == String(expected.prefix { $0 != "=" }))
        }
    }
}
