import OAuth

extension SettingRule where Value == String {
    /// A URI to which an authorization code may be sent (RFC 8252 §7, RFC 9700 §2.1).
    static var redirectURI: Self {
        Self(expected: "a redirect URI like https://app.example.com/done or com.example.app:/done") {
            text,
            _,
            _ throws(SettingError) in
            do throws(RedirectURIRule.ViolationError) { try RedirectURIRule.check(text) } catch {
                throw .refusing(text, "cannot be a redirect URI: \(error.text)")
            }
            return text
        }
    }

    static var scope: Self {
        Self(expected: "a word") { text, _, _ throws(SettingError) in
            guard ScopeSet.isToken(text) else {
                throw .refusing(text, "is not a scope. Write one word of printable ASCII")
            }
            return text
        }
    }
}

extension SettingRule where Value == OAuthClient.GrantType {
    /// A grant type that a client may use.
    static var grant: Self { choice(of: Value.allCases.map { ($0.shortName, $0) }) }
}

extension SettingRule where Value == KeySetFile {
    /// A file with a JWK set of public keys, which is read together with the config.
    static var keySet: Self {
        Self(expected: "the path of a JWK set") { text, _, reading throws(SettingError) in
            guard !text.isEmpty, !text.utf8.contains(0) else { throw .refusing(text, "is not a path") }
            let path = SettingsFiles.resolve(text, against: reading.context.dataFolder)
            let document = try reading.context.files.text(of: path).text
            do throws(ClientKeySetError) { _ = try ClientKeySet(checking: document) } catch {
                throw SettingError(message: "\(path): \(error.text)")
            }
            return KeySetFile(path: path, document: document)
        } show: {
            .text($0.path)
        }
    }
}
