import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import HTTPAPI

/// `/openapi.yaml`: the server has the document of its own API.
struct DocumentTests {
    private static let path = "/openapi.yaml"

    @Test func `the document that is served is docs/openapi.yaml`() async throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/openapi.yaml").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        try await OpenServer.run(DocumentAPI().routes) { server in
            let answer = try await server.send(.get, Self.path)
            #expect(answer.status == .ok && answer.text == text)
            #expect(answer.headers[.contentType] == "application/yaml")
            #expect(answer.headers[.contentLength] == String(text.utf8.count))
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            let head = try await server.send(.head, Self.path)
            #expect(head.status == .ok && head.text.isEmpty && head.headerNames == answer.headerNames)
            #expect(head.headers[.contentLength] == answer.headers[.contentLength])
        }
    }

    @Test func `the document is cached, and not sent again to whoever has it`() async throws {
        try await OpenServer.run(DocumentAPI().routes) { server in
            let answer = try await server.send(.get, Self.path)
            #expect(answer.headers[.cacheControl] == "public, max-age=300")
            let tag = try #require(answer.headers[.eTag])
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 20)
            for known in [tag, "W/" + tag, "\"other\", " + tag, "*"] {
                let again = try await server.send(.get, Self.path, [.ifNoneMatch: known])
                #expect(again.status == .notModified && again.text.isEmpty, "\(known)")
                #expect(again.headers[.eTag] == tag && again.headers[.cacheControl] == "public, max-age=300")
            }
            let other = try await server.send(.get, Self.path, [.ifNoneMatch: "\"other\""])
            #expect(other.status == .ok && !other.text.isEmpty)
        }
    }
}
