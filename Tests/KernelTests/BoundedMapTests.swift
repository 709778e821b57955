import Kernel
import Testing

struct BoundedMapTests {
    @Test func `the key that came first is dropped at capacity`() {
        var map = BoundedMap<String, Int>(capacity: 2)
        #expect(map.set(1, for: "a") == nil)
        map.set(2, for: "b")
        map.set(3, for: "c")
        #expect(map["a"] == nil && map["b"] == 2 && map["c"] == 3 && map.count == 2)
    }

    @Test func `a key that is written again keeps its place`() {
        var map = BoundedMap<String, Int>(capacity: 2)
        map.set(1, for: "a")
        map.set(2, for: "b")
        #expect(map.set(3, for: "a") == 1)
        map.set(4, for: "c")
        #expect(map["a"] == nil && map["b"] == 2 && map["c"] == 4)
    }

    @Test func `after many rounds it holds the last ones`() {
        var map = BoundedMap<Int, Int>(capacity: 3)
        for number in 0..<100 { map.set(number, for: number) }
        #expect((97..<100).allSatisfy { map[$0] == $0 } && map.count == 3)
    }

    @Test func `the capacity is at least one`() {
        var map = BoundedMap<Int, Int>(capacity: 0)
        map.set(1, for: 1)
        map.set(2, for: 2)
        #expect(map[1] == nil && map[2] == 2)
    }
}
