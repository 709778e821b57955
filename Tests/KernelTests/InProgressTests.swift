import Kernel
import Testing

struct InProgressTests {
    private struct BodyError: Error {}

    @Test func `each body gets the number of those of its key that have not ended`() async throws {
        let progress = InProgress()
        let found = await progress.counting("a") { first in
            await progress.counting("a") { second in
                await progress.counting("b") { other in [first, second, other] }
            }
        }
        #expect(found == [0, 1, 0])
        #expect(await progress.counting("a") { $0 } == 0)
    }

    @Test func `a body that throws has ended`() async throws {
        let progress = InProgress()
        await #expect(throws: BodyError.self) { try await progress.counting("a") { _ in throw BodyError() } }
        #expect(await progress.counting("a") { $0 } == 0)
    }
}
