import Kernel
import Wire

extension InitiateLoginRequest {
    /// Reads the body of a start without a decoder, because anybody can start many logins.
    ///
    /// The strict reader has read the body already, and a decoder would read it again. There is no value unless each
    /// member has the usual type. The decoder then decides, and names the invalid member.
    ///
    /// - Parameter value: The body.
    init?(plain value: JSONValue) {
        guard case .object(let members) = value, case .string(let email) = members["email"] else { return nil }
        self.init(email: email)
        var texts = PlainTexts(members)
        clientId = texts.text("clientId")
        codeChallenge = texts.text("codeChallenge")
        codeChallengeMethod = texts.text("codeChallengeMethod")
        mode = texts.text("mode")
        deviceId = texts.text("deviceId")
        deviceSignature = texts.text("deviceSignature")
        returnUrl = texts.text("returnUrl")
        supersedes = texts.text("supersedes")
        switch members["deviceCount"] {
        case nil, .null: break
        case .number(let text):
            guard let number = Int64(text) else { return nil }
            deviceCount = number
        case .bool, .string, .array, .object: return nil
        }
        guard texts.arePlain else { return nil }
    }
}

/// The optional text members of a body.
private struct PlainTexts {
    private let members: [String: JSONValue]
    /// Whether each member so far was a text, `null` or absent.
    private(set) var arePlain = true

    init(_ members: [String: JSONValue]) { self.members = members }

    mutating func text(_ name: String) -> String? {
        switch members[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case .bool, .number, .array, .object:
            arePlain = false
            return nil
        }
    }
}
