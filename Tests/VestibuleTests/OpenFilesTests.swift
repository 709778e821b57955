import Testing

@testable import Vestibule

/// How many connections a limit of open files leaves room for.
struct OpenFilesTests {
    @Test(arguments: [(20_000, 65_536, 20_000), (20_000, 20_512, 20_000), (20_000, 20_511, 19_999), (4, 516, 4)])
    func `what the reserve leaves is for connections`(_ connections: Int, _ limit: Int, _ room: Int) {
        #expect(OpenFiles.room(for: connections, in: limit) == room)
    }

    @Test(arguments: [(20_000, 256, 128), (20_000, 1, 1), (3, 8, 3)])
    func `of a small limit half is for connections, and one is always accepted`(
        _ connections: Int,
        _ limit: Int,
        _ room: Int
    ) {
        #expect(OpenFiles.room(for: connections, in: limit) == room)
    }
}
