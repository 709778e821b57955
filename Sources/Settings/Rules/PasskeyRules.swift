import Kernel

extension SettingRule where Value == String {
    /// A domain for passkeys (the RP ID): a host name, not an address or a URL.
    static var domain: Self {
        Self(expected: "a domain like login.example.com") { text, _, _ throws(SettingError) in
            guard !text.contains("/"), !text.contains(":") else {
                throw .refusing(text, "is more than a domain. Write it without scheme, port and path")
            }
            let labels = text.split(separator: ".", omittingEmptySubsequences: false)
            guard (1...253).contains(text.utf8.count), labels.allSatisfy(PasskeyText.isLabel) else {
                throw .refusing(text, "is not a domain in lower case")
            }
            guard labels.last?.allSatisfy({ $0.isNumber }) == false else {
                throw .refusing(text, "is an IP address. Browsers accept passkeys only for domain names")
            }
            return text
        }
    }

    /// An origin that passkey answers may come from: a web page's, or an Android app's (`android:apk-key-hash:`).
    static var passkeyOrigin: Self {
        let web = Self.webOrigin
        return Self(expected: "an origin like https://login.example.com, or android:apk-key-hash: and a hash") {
            text,
            key,
            reading throws(SettingError) in
            guard text.hasPrefix("android:") else { return try web.parse(text, key, &reading) }
            let hash = text.dropFirst(AndroidApp.originPrefix.count)
            guard text.hasPrefix(AndroidApp.originPrefix), Base64URL.decode(hash)?.count == 32 else {
                throw .refusing(text, "is not \(AndroidApp.originPrefix) and a SHA-256 in base64url, 43 characters")
            }
            return text
        }
    }

    /// An app on Apple's platforms, as entitlements name it.
    static var appleApp: Self {
        Self(expected: "a team's id and a bundle's, like A1B2C3D4E5.com.example.app") {
            text,
            _,
            _ throws(SettingError) in
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let isTeam =
                parts[0].utf8.count == 10 && parts[0].allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
            guard isTeam, parts.count == 2, PasskeyText.isBundle(parts[1]) else {
                throw .refusing(text, "is not ten characters of a team's id, a point, and a bundle's id")
            }
            return text
        }
    }
}

extension SettingRule where Value == AndroidApp {
    /// An Android app: its package, and the SHA-256 of its signing certificate.
    static var androidApp: Self {
        parsing(
            { AndroidApp($0) },
            expected: "a package and its certificate's SHA-256, like com.example.app 14:6D:…",
            otherwise: "is not a package's name, a space, and 32 bytes as keytool prints them",
            text: \.text
        )
    }
}

/// The characters of names in passkeys' settings.
enum PasskeyText {
    /// Whether the text is a DNS label (RFC 1123 §2.1).
    static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    static func isBundle(_ text: Substring) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

/// An Android app, as the config names it.
package struct AndroidApp: Sendable, Equatable {
    package static let originPrefix = "android:apk-key-hash:"

    package let packageName: String
    /// The SHA-256 of the signing certificate.
    package let fingerprint: [UInt8]

    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, PasskeyText.isBundle(parts[0]) else { return nil }
        let bytes = parts[1].split(separator: ":", omittingEmptySubsequences: false).compactMap { pair in
            pair.utf8.count == 2 ? Hex.decode(pair)?.first : nil
        }
        guard bytes.count == 32, parts[1].utf8.count == 95 else { return nil }
        packageName = String(parts[0])
        fingerprint = bytes
    }

    /// The fingerprint as keytool prints it.
    package var fingerprintText: String {
        fingerprint.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
    }

    package var text: String { "\(packageName) \(fingerprintText)" }

    /// The origin in the client data of the app's answers.
    package var origin: String { Self.originPrefix + Base64URL.encode(fingerprint) }
}
