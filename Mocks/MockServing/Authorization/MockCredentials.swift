import FoundationEssentials

/// The credentials of a client of a token endpoint: in HTTP Basic or in the form (RFC 6749 §2.3.1).
package struct MockCredentials: Sendable {
    package let id: String?
    package let secret: String?

    package init(_ form: MockForm, authorization header: String?) {
        let basic = Self.basic(header)
        id = basic?.id ?? form["client_id"]
        secret = basic?.secret ?? form["client_secret"]
    }

    /// RFC 7617 §2; both parts were encoded as in a form.
    private static func basic(_ header: String?) -> (id: String, secret: String)? {
        guard let header, header.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: String(header.dropFirst(6)))
        else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let form = MockForm("u=\(parts[0])&p=\(parts[1])")
        return (form["u"] ?? "", form["p"] ?? "")
    }
}
