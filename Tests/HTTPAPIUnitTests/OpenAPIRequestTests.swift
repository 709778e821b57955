import Foundation
import Testing
import Wire
import Yams

@testable import HTTPAPI

/// The schemas of requests in docs/openapi.yaml against the decoders: which members may be missing, null, or of which type.
struct OpenAPIRequestTests {
    /// A request as the document and as the program describe it.
    struct Request: Sendable, CustomTestStringConvertible {
        let schema: String
        /// Members that are read apart from the decoded body.
        let except: Set<String>
        let decodes: @Sendable ([UInt8]) -> Bool

        var testDescription: String { schema }

        init<Body: Decodable & Sendable>(_ schema: String, _ body: Body.Type, except: Set<String> = []) {
            self.schema = schema
            self.except = except
            decodes = { (try? JSONBody.decode(body, $0)) != nil }
        }
    }

    static let requests = [
        Request("InitiateLoginRequest", InitiateLoginRequest.self),
        Request("InitiateApprovalRequest", InitiateApprovalRequest.self),
        Request("RefreshProof", RefreshRequest.self),
        Request("MobileRefreshRequest", RefreshRequest.self),
        Request("MailLoginRequest", MailLoginRequest.self),
        // Without `response`, a passkey's answer, a code is needed.
        Request("MailLoginVerifyRequest", MailLoginVerifyRequest.self, except: ["response"]),
        Request("DeviceRegistrationRequest", DeviceRegistrationRequest.self),
        Request("PushTokenRequest", PushTokenRequest.self),
        Request("RenameDeviceRequest", RenameDeviceRequest.self),
        Request("PasskeyRegistrationRequest", PasskeyRegistrationRequest.self),
        Request("PasskeySignInRequest", PasskeySignInRequest.self),
        Request("RenamePasskeyRequest", RenamePasskeyRequest.self),
        Request("BiometricSetupRequest", BiometricSetupRequest.self),
        Request("BiometricChallengeRequest", BiometricChallengeRequest.self),
        Request("BiometricVerifyRequest", BiometricVerifyRequest.self),
        Request("StartEnrollmentRequest", StartEnrollmentRequest.self),
        Request("InitiatePaymentRequest", InitiatePaymentRequest.self),
        Request("ConfirmPaymentRequest", ConfirmPaymentRequest.self, except: ["passkey"]),
        Request("RedeemCardTokenRequest", RedeemCardTokenRequest.self),
        Request("RegisterRequest", RegisterRequest.self),
        Request("MobileRegisterRequest", RegisterRequest.self),
        Request("PasswordSignInRequest", PasswordSignInRequest.self),
        Request("PasswordChangeRequest", PasswordChangeRequest.self),
        Request("EmailChangeRequest", EmailChangeRequest.self),
        Request("EmailVerifyRequest", EmailVerifyRequest.self),
    ]

    /// One value of each type that JSON has; a text that is a number too, as forms send them.
    private static let values: [(type: String, json: String)] = [
        ("string", #""7""#), ("integer", "7"), ("number", "1.5"), ("boolean", "true"), ("null", "null"),
        ("array", "[]"),
        ("object", "{}"),
    ]

    private let schemas: [String: [String: Any]]

    init() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/openapi.yaml").standardized
        let spec = try #require(try Yams.load(yaml: String(contentsOf: file, encoding: .utf8)) as? [String: Any])
        let components = try #require(spec["components"] as? [String: Any])
        schemas = try #require(components["schemas"] as? [String: [String: Any]])
    }

    @Test(arguments: requests)
    func `a request's members may be missing, null and of other types as the document says`(_ request: Request) throws {
        let schema = flat(try #require(schemas[request.schema]))
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        let required = Set(schema["required"] as? [String] ?? [])
        var least: [String: String] = [:]
        for name in required.union(request.schema == "MailLoginVerifyRequest" ? ["code"] : []) {
            let types = types(of: try #require(properties[name], "\(name)"))
            least[name] = try #require(Self.values.first { types.contains($0.type) }).json
        }
        #expect(request.decodes(Self.body(least)), "with no more than what is required")
        for (name, property) in properties where !request.except.contains(name) {
            let types = types(of: property)
            for (type, json) in Self.values {
                // The handler decides whether a required member may be null, and the object what it contains.
                if type == "null" && least[name] != nil || type == "object" && types.contains(type) { continue }
                let body = Self.body(least.merging([name: json]) { $1 })
                #expect(request.decodes(body) == types.contains(type), "\(name): \(json)")
            }
        }
    }

    private static func body(_ members: [String: String]) -> [UInt8] {
        Array("{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}".utf8)
    }

    /// The schema with the members of all its parts.
    private func flat(_ schema: [String: Any]) -> [String: Any] {
        var properties = schema["properties"] as? [String: Any] ?? [:]
        var required = schema["required"] as? [String] ?? []
        for part in schema["allOf"] as? [[String: Any]] ?? [] {
            let part = flat(resolved(part))
            properties.merge(part["properties"] as? [String: Any] ?? [:]) { $1 }
            required += part["required"] as? [String] ?? []
        }
        return ["properties": properties, "required": required]
    }

    private func resolved(_ schema: [String: Any]) -> [String: Any] {
        guard let reference = schema["$ref"] as? String, let name = reference.split(separator: "/").last else {
            return schema
        }
        return schemas[String(name)] ?? [:]
    }

    /// The types that a schema allows.
    private func types(of schema: [String: Any]) -> Set<String> {
        let schema = resolved(schema)
        if let parts = (schema["anyOf"] ?? schema["oneOf"]) as? [[String: Any]] {
            return parts.reduce(into: []) { $0.formUnion(types(of: $1)) }
        }
        if let list = schema["type"] as? [String] { return Set(list) }
        if let type = schema["type"] as? String { return [type] }
        return schema["enum"] == nil ? [] : ["string"]
    }
}
