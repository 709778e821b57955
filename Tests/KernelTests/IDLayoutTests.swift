import Kernel
import Testing

/// The layout of ADR 20, bit by bit, as golden values: ids outlive every version of the program.
@Suite struct IDLayoutTests {
    private static let ones = [UInt8](repeating: 0xFF, count: 16)
    private static let zeros = [UInt8](repeating: 0, count: 16)

    private static func bits(
        _ milliseconds: Int64 = 0,
        bucket: UInt64 = 0,
        random: [UInt8] = zeros
    ) -> UUIDBits {
        UUIDBits(
            version8: UUIDBits.version8Epoch + .milliseconds(milliseconds),
            bucket: Bucket(firstBitsOf: bucket << 54),
            random: random
        )
    }

    @Test func `each part of a version 8 id has its own bits`() {
        #expect(Self.bits().description == "00000000-0000-8000-8000-000000000000")
        #expect(Self.bits(bucket: 1023).description == "ffc00000-0000-8000-8000-000000000000")
        #expect(Self.bits((1 << 42) - 1).description == "003fffff-ffff-8f00-8000-000000000000")
        #expect(Self.bits(random: Self.ones).description == "00000000-0000-80ff-bfff-ffffffffffff")
        #expect(Self.bits(1).description == "00000000-0000-8100-8000-000000000000")
        #expect(Self.bits(16).description == "00000000-0001-8000-8000-000000000000")
        #expect(Self.bits(0x123_4567_89AB, bucket: 0x2A5).description == "a9523456-789a-8b00-8000-000000000000")
    }

    @Test func `the time counts from 2024 in milliseconds`() {
        #expect(UUIDBits.version8Epoch == Instant(milliseconds: 1_704_067_200_000))
        #expect(Self.bits(-1) == Self.bits(0), "an earlier time counts as the first")
        #expect(Self.bits((1 << 42) + 5) == Self.bits(5))
    }

    @Test func `the first seven random bytes are not used`() {
        let used = (0..<16).filter { byte in
            var random = Self.zeros
            random[byte] = 0xFF
            return Self.bits(random: random) != Self.bits()
        }
        #expect(used == Array(7...15))
    }

    @Test func `every bucket is read back from its bits`() {
        for number in 0..<UInt64(Bucket.count) {
            #expect(Self.bits(77, bucket: number, random: Self.ones).bucket.number == number)
        }
    }

    @Test func `ids of one bucket are in the order of time`() {
        let times: [Int64] = [0, 1, 15, 16, 17, 4095, 4096, 1 << 41]
        let ids = times.map { Self.bits($0, bucket: 9, random: Self.ones) }
        #expect(ids == ids.sorted())
    }

    @Test func `an id of version 7 belongs to the bucket of its hash`() {
        let moved = UUIDBits(version7: Instant(seconds: 1_800_000_000), random: Self.ones)
        let hash = Digest256(sha256: moved.bytes).bytes
        #expect(moved.bucket.number == UInt64(hash[0]) << 2 | UInt64(hash[1]) >> 6)
    }
}
