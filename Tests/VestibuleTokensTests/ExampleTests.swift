import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import SampleBackend

/// The guide's backend is that of the sample, so that it compiles; here it runs without its port.
struct ExampleTests {
    @Test func `the guide shows the example as it is`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let example = root.appending(path: "Examples/SampleBackend/OrdersBackend.swift")
        let text = try String(contentsOf: example, encoding: .utf8)
        let guide = try String(
            contentsOf: root.appending(path: "docs/guide/integrate-an-app.md"),
            encoding: .utf8
        )
        #expect(guide.contains("```swift\n\(text)```"))
        #expect(text.split(separator: "\n").count <= 22)
    }

    @Test func `it answers 401 to a request without a token`() async throws {
        let app = Application(router: try ordersRouter(issuer: "https://login.example.com"))
        try await app.test(.router) { client in
            try await client.execute(uri: "/orders", method: .get) { #expect($0.status == .unauthorized) }
        }
    }
}
