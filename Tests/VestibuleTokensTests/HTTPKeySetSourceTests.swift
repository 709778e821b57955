import Foundation
import Synchronization
import Testing
import VestibuleClient

@testable import VestibuleTokens

struct HTTPKeySetSourceTests {
    private final class Wire: HTTPTransport {
        let requests = Mutex<[ClientRequest]>([])
        let answer: Result<ClientResponse, NetworkError>

        init(_ answer: Result<ClientResponse, NetworkError>) { self.answer = answer }

        func send(_ request: ClientRequest) async throws(NetworkError) -> ClientResponse {
            requests.withLock { $0.append(request) }
            return try answer.get()
        }
    }

    private func ok(_ headers: [String: String] = [:]) -> Wire {
        Wire(.success(ClientResponse(status: 200, headers: headers, body: Data("{}".utf8))))
    }

    @Test(arguments: ["https://login.example.com", "https://login.example.com/"])
    func `the key set of an issuer is at its well-known place`(issuer: String) async throws {
        let wire = ok(["Cache-Control": "public, max-age=300"])
        let document = try await HTTPKeySetSource(issuer: issuer, transport: wire).fetch()
        #expect(document == KeySetDocument(bytes: Array("{}".utf8), maxAge: .seconds(300)))
        let request = try #require(wire.requests.withLock { $0.first })
        #expect(request.url.absoluteString == "https://login.example.com/.well-known/jwks.json")
        #expect(request.method == .get && request.timeout == .seconds(5) && request.body == nil)
    }

    // T-204
    @Test(arguments: [
        "http://login.example.com", "ftp://login.example.com", "file:///etc/passwd", "login.example.com", "",
        "https://user@login.example.com", "http://localhost.attacker.example.com", "https://",
    ])
    func `attack: keys are fetched over https alone, except from this machine`(issuer: String) async throws {
        let wire = ok()
        await #expect(throws: HTTPKeySetSource.FetchError.self) {
            try await HTTPKeySetSource(issuer: issuer, transport: wire).fetch()
        }
        #expect(wire.requests.withLock { $0.isEmpty })
    }

    @Test(arguments: ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"])
    func `this machine may speak plain http`(issuer: String) async throws {
        let document = try await HTTPKeySetSource(issuer: issuer, transport: ok()).fetch()
        #expect(document.maxAge == nil)
    }

    @Test(arguments: [204, 301, 302, 404, 500])
    func `another status than 200 is a fault`(status: Int) async throws {
        let wire = Wire(.success(ClientResponse(status: status, headers: ["Location": "/x"], body: Data("{}".utf8))))
        await #expect(throws: HTTPKeySetSource.FetchError.status(status)) {
            try await HTTPKeySetSource(address: "https://login.example.com/keys", transport: wire).fetch()
        }
    }

    @Test func `a fault of the network is one of the fetch`() async throws {
        let wire = Wire(.failure(.timedOut))
        await #expect(throws: NetworkError.timedOut) {
            try await HTTPKeySetSource(issuer: "https://login.example.com", transport: wire).fetch()
        }
    }

    @Test(arguments: [
        ("max-age=300", 300), ("public, max-age=60, must-revalidate", 60), ("PUBLIC,MAX-AGE=5", 5),
        ("max-age=\"7\"", 7), ("no-store", 0), ("max-age=300, no-cache", 0), ("max-age=0", 0),
    ])
    func `Cache-Control says how long`(field: String, seconds: Int) {
        #expect(HTTPKeySetSource.maxAge(field) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "public", "max-age=", "max-age=x", "max-age=-1", "max-age=99999999999999999999", "s-maxage=5",
    ])
    func `an answer without the lifetime gives none`(field: String) {
        #expect(HTTPKeySetSource.maxAge(field) == nil)
    }
}
