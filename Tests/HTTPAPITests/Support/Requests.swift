import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

extension Harness {
    static let initiatePath = "/auth/biometric-login/initiate"

    @discardableResult
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> TestResponse {
        try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    /// A POST of JSON.
    @discardableResult
    func post(_ path: String, _ json: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/json"
        return try await send(.post, path, headers, body: json)
    }

    /// Expects that problem, in the one error body.
    func expect(
        _ response: TestResponse,
        is code: String,
        _ status: Int,
        _ input: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status.code == status, input, sourceLocation: sourceLocation)
        let body = try response.json()
        #expect(body["code"] as? String == code, input, sourceLocation: sourceLocation)
        #expect(Set(body.keys) == ["error", "code", "message", "requestId"], sourceLocation: sourceLocation)
        #expect(body["error"] as? String == body["message"] as? String, sourceLocation: sourceLocation)
        #expect((body["message"] as? String)?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(body["requestId"] as? String == response.headers[.requestID], sourceLocation: sourceLocation)
        #expect(response.headers[.contentType] == "application/json", sourceLocation: sourceLocation)
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }

    /// The members of the JSON object that it is.
    func json() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any])
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body.readableBytesView))
    }

    /// The `Set-Cookie` of that name, or of one that begins with it, whole.
    func setCookie(_ name: String) -> String? {
        headers[values: .setCookie].first { $0.hasPrefix(name) }
    }

    /// The same as a browser sends it back: name and value.
    func cookie(_ name: String) -> String? {
        setCookie(name).map { String($0.prefix { $0 != ";" }) }
    }

    var headerNames: [String] { headers.map { $0.name.canonicalName }.sorted() }
}

extension HTTPFields {
    /// A request's cookies.
    static func cookies(_ cookies: String?...) -> HTTPFields {
        [.cookie: cookies.compactMap { $0 }.joined(separator: "; ")]
    }

    func adding(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields[name] = value
        return fields
    }
}

extension HTTPField.Name {
    static let requestID = named("X-Request-Id")
    static let clientID = named("X-Client-Id")
    static let deviceCredential = named("X-Device-Credential")
    static let returnCode = named("X-Return-Code")
    static let codeVerifier = named("X-Code-Verifier")
    static let referrerPolicy = named("Referrer-Policy")
    static let fetchSite = named("Sec-Fetch-Site")

    static func named(_ text: String) -> Self { Self(text) ?? .accept }
}
