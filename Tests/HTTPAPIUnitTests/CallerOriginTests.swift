import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import HTTPAPI

/// The pages that a request may come from.
struct CallerOriginTests {
    @Test(arguments: [("http", "https"), ("https", "http")])
    func `attack: an Origin with the server's host but another scheme is not the server's own`(
        own: String,
        other: String
    ) throws {
        let origins = CrossOrigin(origins: [], publicURL: "\(own)://login.example.com")
        func caller(_ origin: String) -> CrossOrigin.Caller {
            let head = HTTPRequest(
                method: .post,
                scheme: own,
                authority: "inside.example.com",
                path: "/",
                headerFields: [.origin: origin]
            )
            return origins.caller(of: Request(head: head, body: .init(buffer: ByteBuffer())))
        }
        #expect(caller("\(own)://inside.example.com") == .unconcerned)
        #expect(caller("\(own)://login.example.com") == .unconcerned)
        #expect(caller("\(other)://inside.example.com") == .unlisted)
        #expect(caller("\(other)://login.example.com") == .unlisted)
    }
}
