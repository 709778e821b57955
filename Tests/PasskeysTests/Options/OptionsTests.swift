import Foundation
import Kernel
import Testing

@testable import Passkeys

/// The JSON of the options, beside that of the library that the clients were written against.
struct OptionsTests {
    /// The object under that heading of the fixture.
    private func shape(_ heading: String) throws -> JSONValue {
        let url = Bundle.module.url(forResource: "Fixtures/simplewebauthn-options-shapes", withExtension: "txt")
        let sections = try String(contentsOf: try #require(url), encoding: .utf8).split(separator: "## ")
        let section = try #require(sections.first { $0.hasPrefix(heading + "\n") })
        return try JSONReader.read(Array(section.dropFirst(heading.count).utf8))
    }

    private func json(_ value: some Encodable) throws -> JSONValue {
        try JSONReader.read(Array(JSONEncoder().encode(value)))
    }

    /// The value under those nested names, as base64url.
    private func bytes(_ object: JSONValue, _ path: String...) throws -> [UInt8] {
        var value: JSONValue? = object
        for name in path {
            guard case .object(let members) = value else { break }
            value = members[name]
        }
        guard case .string(let text) = value else { throw MalformedJSONError() }
        return try #require(Base64URL.decode(text))
    }

    private func relyingParty() throws -> RelyingParty {
        try RelyingParty(id: "example.org", name: "Example", origins: [Origin("https://example.org")])
    }

    @Test func `creation options have the shape that the clients know`() throws {
        let usual = try shape("generateRegistrationOptions (defaults)")
        let options = CreationOptions(
            challenge: try bytes(usual, "challenge"),
            relyingParty: try relyingParty(),
            user: RegisteringUser(handle: try bytes(usual, "user", "id"), name: "ann", displayName: ""),
            preferences: RegistrationPreferences(
                algorithms: COSEAlgorithm.offered,
                residentKey: .preferred,
                userVerification: .preferred,
                attestation: .none
            ),
            excluded: []
        )
        #expect(try json(options) == usual)
        #expect(try JSONDecoder().decode(CreationOptions.self, from: JSONEncoder().encode(options)) == options)
    }

    @Test func `creation options with every wish have it too`() throws {
        let full = try shape("generateRegistrationOptions (full)")
        let options = CreationOptions(
            challenge: try bytes(full, "challenge"),
            relyingParty: try relyingParty(),
            user: RegisteringUser(handle: Array("uid-1".utf8), name: "ann", displayName: "Ann"),
            preferences: RegistrationPreferences(
                algorithms: [.es256, .edDSA, .rs256],
                residentKey: .required,
                userVerification: .required,
                attestation: .direct,
                attachment: .platform,
                hints: [.clientDevice],
                timeout: 120_000
            ),
            excluded: [CredentialDescriptor(CredentialID([1, 2, 3]), transports: ["internal", "hybrid"])]
        )
        #expect(try json(options) == full)
    }

    @Test func `request options have the shape that the clients know`() throws {
        let usual = try shape("generateAuthenticationOptions (defaults)")
        let bare = RequestOptions(
            challenge: try bytes(usual, "challenge"),
            relyingParty: try relyingParty(),
            allowed: nil
        )
        #expect(try json(bare) == usual)
        let full = try shape("generateAuthenticationOptions (full)")
        let options = RequestOptions(
            challenge: try bytes(full, "challenge"),
            relyingParty: try relyingParty(),
            allowed: [CredentialDescriptor(CredentialID([1, 2, 3]), transports: ["internal"])],
            userVerification: .required,
            timeout: 90_000
        )
        #expect(try json(options) == full)
        #expect(try JSONDecoder().decode(RequestOptions.self, from: JSONEncoder().encode(options)) == options)
    }

    @Test func `an empty list is another thing than none`() throws {
        let options = RequestOptions(challenge: [1], relyingParty: try relyingParty(), allowed: [])
        guard case .object(let members) = try json(options) else { throw MalformedJSONError() }
        #expect(members["allowCredentials"] == .array([]))
    }

    @Test func `a credential whose transports nobody knows names none`() throws {
        let descriptor = try json(CredentialDescriptor(CredentialID([1]), transports: []))
        #expect(descriptor == .object(["id": .string("AQ"), "type": .string("public-key")]))
    }
}
