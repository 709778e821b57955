import Kernel
import Testing
import TokenReading

@testable import Tokens

struct RefreshSuccessionTests {
    private static let tokenID = "4f120a8e-3c5b-4e9a-9979-7a9a4af7e8d7"

    @Test func `the same parent has the same successor, also for another process over the same folder`() throws {
        let home = try TemporaryFolder()
        let one = RefreshSuccession(try TokenFixture.openFolder(home))
        let other = RefreshSuccession(try TokenFixture.openFolder(home))
        let successor = one.successor(of: Self.tokenID)
        #expect(other.successor(of: Self.tokenID) == successor)
        #expect(UUIDBits(successor)?.description == successor)
        #expect(
            one.accessTokenID(for: Self.tokenID, issuedAt: TokenFixture.now)
                == other.accessTokenID(for: Self.tokenID, issuedAt: TokenFixture.now + .milliseconds(100))
        )
    }

    @Test func `attack: the successors of a refresh token are unique and differ without the key`() throws {
        let (home, foreign) = (try TemporaryFolder(), try TemporaryFolder())
        let succession = RefreshSuccession(try TokenFixture.openFolder(home))
        let outsider = RefreshSuccession(try TokenFixture.openFolder(foreign))
        var names: Set<String> = [Self.tokenID]
        var last = Self.tokenID
        for step in 0..<200 {
            let issuedAt = TokenFixture.now + .seconds(step)
            names.insert(succession.accessTokenID(for: last, issuedAt: issuedAt))
            names.insert(outsider.successor(of: last))
            last = succession.successor(of: last)
            names.insert(last)
        }
        #expect(names.count == 601)
    }
}
