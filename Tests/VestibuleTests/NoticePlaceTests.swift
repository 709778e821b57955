import Kernel
import OAuth
import Testing

@testable import Admin

/// The places of `notices list --after`, which stay places after their notice was delivered.
struct NoticePlaceTests {
    @Test func `a place has the kind, the subject and the time, and each kind goes on behind it`() throws {
        let ciba = try #require(NoticePlace("ciba:b@5000"))
        #expect(ciba.text == "ciba:b@5000")
        let time = Instant(milliseconds: 5000)
        #expect(ciba.position(.ciba) == NoticePosition(dueAt: time, subject: "b"))
        // Of those that are due at one time, logout tokens come after CIBA's notices.
        #expect(ciba.position(.logout) == NoticePosition(dueAt: time, subject: ""))
        let logout = try #require(NoticePlace("logout:b@5000"))
        #expect(logout.position(.logout) == NoticePosition(dueAt: time, subject: "b"))
        #expect(logout.position(.ciba) == NoticePosition(dueAt: Instant(milliseconds: 5001), subject: ""))
    }

    @Test(arguments: [
        "", "ciba:b", "ciba:b@", "ciba@5000", "mail:b@5000", "ciba:b@5000@1", "ciba:b@x", "ciba:b@9223372036854775807",
    ])
    func `another text is no place`(_ text: String) { #expect(NoticePlace(text) == nil) }
}
