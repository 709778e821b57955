import FoundationEssentials

extension SettingRule where Value == String {
    /// The root URL of a server: http or https, a host, and an optional port and path, without its trailing slash.
    static var serverURL: Self {
        Self(expected: "a URL like https://login.example.com") { text, _, _ throws(SettingError) in
            try URLCheck.server(text)
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
    }

    /// The root URL of a server, kept as written: readers of tokens compare it byte for byte (RFC 7519 §4.1.1).
    static var issuer: Self {
        Self(expected: "a URL like https://login.example.com") { text, _, _ throws(SettingError) in
            try URLCheck.server(text)
            return text
        }
    }

    /// The root URL of a server that may receive keys and faces: https, or http on this machine.
    static var secureServerURL: Self {
        let whole = secureURL
        return Self(expected: whole.expected) { text, key, reading throws(SettingError) in
            let url = try whole.parse(text, key, &reading)
            return url.hasSuffix("/") ? String(url.dropLast()) : url
        }
    }

    /// A URL that may receive keys and faces, kept as written: for some servers a trailing slash makes a different
    /// path.
    static var secureURL: Self {
        Self(expected: "an https URL, or an http one on this machine") { text, _, _ throws(SettingError) in
            let parts = try URLCheck.server(text)
            guard parts.scheme == "https" || Loopback.contains(host: parts.host) else {
                throw .refusing(text, "is plain http. Only https is allowed over a network")
            }
            return text
        }
    }

    /// The origin of a web page as browsers send it (RFC 6454 §6.2): scheme, host, and a port other than the scheme's.
    static var webOrigin: Self {
        Self(expected: "an origin like https://app.example.com") { text, _, reading throws(SettingError) in
            guard text != "null" else {
                throw .refusing(text, "is the origin of every sandboxed frame of any site. It cannot be allowed")
            }
            let parts = try URLCheck.server(text)
            guard !parts.host.contains("*") else {
                throw .refusing(text, "stands for many origins. List each one")
            }
            let usual = parts.scheme == "https" ? 443 : 80
            let port = parts.components.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
            let origin = "\(parts.scheme)://\(parts.host)\(port)"
            guard text == origin else {
                throw .refusing(text, "is not in the form that browsers send. Write \(origin)")
            }
            try reading.refusePlainHTTP(text, parts)
            return text
        }
    }

    /// A URL that a browser may be sent back to: a web page, or an app's own scheme (RFC 8252 §7.1).
    static var returnURL: Self {
        Self(expected: "a URL like https://app.example.com/done or com.example.app:/done") {
            text,
            _,
            reading throws(SettingError) in
            let parts = try URLCheck.absolute(text)
            guard parts.components.fragment == nil else { throw .refusing(text, "has a fragment") }
            guard parts.scheme == "http" || parts.scheme == "https" else {
                // Schemes that run or show the URL's own text would let the author of the URL control the page.
                guard !["javascript", "data", "file", "blob", "about", "vbscript"].contains(parts.scheme) else {
                    throw .refusing(text, "has a scheme that no login may return to")
                }
                return text
            }
            guard !parts.host.isEmpty else { throw .refusing(text, "has no host") }
            try reading.refusePlainHTTP(text, parts)
            return text
        }
    }
}

extension SettingsReading {
    /// In production nothing may leave this machine unencrypted.
    fileprivate func refusePlainHTTP(_ text: String, _ parts: URLCheck.Parts) throws(SettingError) {
        guard parts.scheme == "http", context.mode == .production, !Loopback.contains(host: parts.host) else { return }
        throw .refusing(text, "is plain http. In production only https is allowed over a network")
    }
}

/// The parsing of URLs in the config.
enum URLCheck {
    /// The parts of a URL, with scheme and host in lower case.
    struct Parts {
        let scheme: String
        let host: String
        let components: URLComponents
    }

    /// An absolute URL (RFC 3986 §4.3, a fragment allowed) in ASCII without user information.
    static func absolute(_ text: String) throws(SettingError) -> Parts {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let components = URLComponents(string: text),
            let scheme = components.scheme?.lowercased()
        else { throw .refusing(text, "is not an absolute URL") }
        guard components.user == nil, components.password == nil else {
            throw SettingError(message: "contains a user name. Write the URL without it")
        }
        return Parts(scheme: scheme, host: components.encodedHost?.lowercased() ?? "", components: components)
    }

    /// An http or https URL with a host, and with neither query nor fragment.
    @discardableResult
    static func server(_ text: String) throws(SettingError) -> Parts {
        let parts = try absolute(text)
        guard parts.scheme == "http" || parts.scheme == "https" else {
            throw .refusing(text, "is not an http or https URL")
        }
        guard !parts.host.isEmpty, !parts.host.contains("%") else { throw .refusing(text, "has no host") }
        if let port = parts.components.port, !(1...65_535).contains(port) {
            throw .refusing(text, "has a port outside 1 to 65535")
        }
        guard parts.components.query == nil, parts.components.fragment == nil else {
            throw .refusing(text, "has a query or a fragment. Write only the part before it")
        }
        return parts
    }
}
