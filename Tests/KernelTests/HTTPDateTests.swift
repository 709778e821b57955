import Kernel
import Testing

struct HTTPDateTests {
    @Test func `the date of an answer is read`() {
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == Instant(seconds: 784_111_777))
        #expect(HTTPDate.parse("Thu, 01 Jan 2026 00:00:00 GMT") == Instant(seconds: 1_767_225_600))
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nob 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 31 Feb 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
    ])
    func `another form is no date`(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
