package import FaceProviders
import Kernel

/// A provider's webhooks, with the signature scheme in four keys.
package struct WebhookSettings: Sendable, Equatable {
    package enum Scheme: String, Sendable, CaseIterable {
        /// Standard Webhooks.
        case standard
        /// HMAC-SHA256 in a header.
        case hmac
    }

    /// The verifier's configuration except for its scheme, so that a wrong scheme does not hide the faults of its
    /// keys.
    package var verifier = WebhookConfiguration(
        scheme: .standard,
        keys: [],
        tolerance: .seconds(300),
        reference: .root
    )
    package var scheme: Scheme = .standard
    /// The three keys that only `hmac` uses.
    package var header: String?
    package var form: WebhookConfiguration.HMACHeader.Form?
    package var timestampHeader: String?
}

extension SettingsSchema {
    static let webhook = SettingSection<WebhookSettings>([
        .value(
            "scheme",
            \.scheme,
            as: .choice,
            help: "How they are signed: standard is Standard Webhooks, hmac a header with an HMAC-SHA256."
        ),
        .secrets(
            "secrets",
            \.verifier.keys,
            help: "The secrets that they are signed with. Write the old and the new one during a change.",
            required: true
        ),
        .value(
            "tolerance",
            \.verifier.tolerance,
            as: .duration(.seconds(10)...(.seconds(3600))),
            help: "How far the sender's clock may be from this one."
        ),
        .value(
            "reference",
            \.verifier.reference,
            as: .webhookReference,
            help: "The position of the scan's id in the body.",
            required: true
        ),
        .value(
            "header",
            \.header,
            as: SettingRule<String>.headerName.optional,
            help: "hmac: the header of the signature."
        ),
        .value(
            "form",
            \.form,
            as: SettingRule<WebhookConfiguration.HMACHeader.Form>
                .choice(of: ["hex": .hex, "base64": .base64, "stamped": .stamped]).optional,
            help: "hmac: the form of the signature. The form stamped is t=<time>,v1=<hex>."
        ),
        .value(
            "timestampHeader",
            \.timestampHeader,
            as: SettingRule<String>.headerName.optional,
            help: "hmac: the header of the time that is signed before the body, with a full stop between."
        ),
    ])
}

extension SettingRule where Value == WebhookReferencePath {
    /// The position of a scan's id in the body.
    fileprivate static var webhookReference: Self {
        .pointer(WebhookReferencePath.init, text: \.pointer.text)
    }
}

extension SettingRule where Value == JSONPointer {
    /// A position in a JSON document.
    static var jsonPointer: Self { .pointer({ $0 }, text: \.text) }
}

extension SettingRule {
    /// A value that is made from a JSON pointer.
    private static func pointer(
        _ make: @escaping @Sendable (JSONPointer) -> Value,
        text: @escaping @Sendable (Value) -> String
    ) -> Self {
        parsing(
            { $0.isEmpty ? nil : JSONPointer($0).map(make) },
            expected: "a JSON pointer like /data/id",
            otherwise: "is not a JSON pointer. Write the path to a value, like /data/id",
            text: text
        )
    }
}

extension SettingRule where Value == String {
    /// The name of an HTTP header: a token of RFC 9110 §5.6.2.
    static var headerName: Self {
        Self(expected: "the name of a header, like X-Signature") { text, _, _ throws(SettingError) in
            guard HeaderNameRule.isToken(text) else {
                throw .refusing(text, "is not the name of a header")
            }
            return text
        }
    }
}

extension WebhookSettings {
    /// The verifier's configuration with its scheme, whose keys exist according to the checks.
    package var configuration: WebhookConfiguration {
        var configuration = verifier
        switch scheme {
        case .standard: configuration.scheme = .standard
        case .hmac:
            configuration.scheme = .hmac(
                .init(name: header ?? "", form: form ?? .hex, timestampHeader: timestampHeader)
            )
        }
        return configuration
    }
}
