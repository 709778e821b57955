import Kernel
import Testing

struct UUIDBitsTests {
    @Test func `reads the dashed form in either case and prints it lower-case`() {
        let text = "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"
        #expect(UUIDBits(text)?.description == text.lowercased())
        #expect(UUIDBits(text.lowercased()) == UUIDBits(text))
    }

    @Test(arguments: [
        "", "f81d4fae7dec11d0a76500a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf66",
        "g81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae_7dec-11d0-a765-00a0c91e6bf6",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6\n", "é81d4fae-7dec-11d0-a765-00a0c91e6b6",
    ])
    func `refuses anything else`(text: String) {
        #expect(UUIDBits(text) == nil)
    }

    @Test func `a random one says version 4 and the RFC variant`() {
        let all = UUIDBits(version4: Array(repeating: 0xFF, count: 16)).description
        #expect(all == "ffffffff-ffff-4fff-bfff-ffffffffffff")
        let none = UUIDBits(version4: Array(repeating: 0, count: 16)).description
        #expect(none == "00000000-0000-4000-8000-000000000000")
    }

    @Test func `its bytes are those that are printed`() {
        let bits = UUIDBits(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
        #expect(bits.bytes == Array(1...16))
        #expect(bits.description == "01020304-0506-0708-090a-0b0c0d0e0f10")
    }

    @Test func `a time-ordered one says version 7 and sorts by its time`() {
        let ones = [UInt8](repeating: 0xFF, count: 16)
        let early = UUIDBits(version7: Instant(milliseconds: 0x0123_4567_89AB), random: ones)
        #expect(early.description == "01234567-89ab-7fff-bfff-ffffffffffff")
        let late = UUIDBits(version7: Instant(milliseconds: 0x0123_4567_89AC), random: Array(repeating: 0, count: 16))
        #expect(early < late)
    }
}
