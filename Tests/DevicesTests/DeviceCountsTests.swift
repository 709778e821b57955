import Testing

@testable import Devices

/// Which counts of a device's key are new.
struct DeviceCountsTests {
    @Test func `a count above all others is new`() {
        #expect(DeviceCounts(highest: 0, taken: []).isNew(1))
        #expect(DeviceCounts(highest: 7, taken: [7]).isNew(8))
    }

    @Test func `an overtaken count is new for thirty seconds, and once`() {
        let counts = DeviceCounts(highest: 100_000, taken: [100_000, 99_000])
        #expect(counts.isNew(99_999) && counts.isNew(70_001))
        #expect(!counts.isNew(70_000) && !counts.isNew(99_000) && !counts.isNew(100_000))
        #expect(!DeviceCounts(highest: 100_000, taken: []).isNew(100_000))
    }

    @Test func `attack: a signature count that may have been forgotten is refused`() {
        let counts = DeviceCounts(highest: 108, taken: Array(101...108))
        #expect(!counts.isNew(100) && !counts.isNew(101))
        #expect(DeviceCounts(highest: 109, taken: [101, 103, 104, 105, 106, 107, 108, 109]).isNew(102))
        #expect(!DeviceCounts(highest: 109, taken: [102, 103, 104, 105, 106, 107, 108, 109]).isNew(101))
    }
}
