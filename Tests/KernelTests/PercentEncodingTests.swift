import Kernel
import Testing

struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("AZaz09-._~", "AZaz09-._~"), ("a b", "a%20b"), ("a+b/c=", "a%2Bb%2Fc%3D"), ("../x", "..%2Fx"),
        ("100%", "100%25"), ("ä", "%C3%A4"), ("?#&", "%3F%23%26"), ("\r\n\0", "%0D%0A%00"),
    ])
    func `everything but unreserved characters is encoded`(_ text: String, _ encoded: String) {
        #expect(PercentEncoding.component(text) == encoded)
    }
}
