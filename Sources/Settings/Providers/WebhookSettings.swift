package import FaceProviders
package import Kernel

/// How a provider's webhooks are told from what others send.
package struct WebhookSettings: Sendable, Equatable {
    package enum Scheme: String, Sendable, CaseIterable {
        /// Standard Webhooks.
        case standard
        /// HMAC-SHA256 in a header.
        case hmac
    }

    package var scheme: Scheme = .standard
    package var secrets: [Secret] = []
    package var tolerance: Duration = .seconds(300)
    /// A JSON pointer (RFC 6901).
    package var reference = ""
    /// The three of `hmac` alone.
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
        .secrets("secrets", \.secrets, help: "What they are signed with; several while it is changed.", required: true),
        .value(
            "tolerance",
            \.tolerance,
            as: .duration(.seconds(10)...(.seconds(3600))),
            help: "How far the sender's clock may be from this one."
        ),
        .value(
            "reference",
            \.reference,
            as: .jsonPointer,
            help: "Where in the body the scan's id stands.",
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
            help: "hmac: how it is written; stamped is t=<time>,v1=<hex>."
        ),
        .value(
            "timestampHeader",
            \.timestampHeader,
            as: SettingRule<String>.headerName.optional,
            help: "hmac: the header of the time that is signed before the body, with a full stop between."
        ),
    ])
}

extension SettingRule where Value == String {
    /// A place in a JSON document.
    static var jsonPointer: Self {
        Self(expected: "a JSON pointer like /data/id") { text, _, _ throws(SettingError) in
            guard !text.isEmpty, JSONPointer(text) != nil else {
                throw .refusing(text, "is not a JSON pointer; write the way to a value, like /data/id")
            }
            return text
        }
    }

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

extension SettingField {
    /// A key with a list of secrets, each written as one is; an override parts them with commas.
    static func secrets(
        _ name: String,
        _ property: any WritableKeyPath<Root, [Secret]> & Sendable,
        help summary: String,
        required: Bool = false,
        example: String? = nil
    ) -> Self {
        let rule = SettingRule<Secret>.secret
        let info = SettingInfo(
            name: name,
            summary: summary,
            expected: "a list, each \(rule.expected)",
            type: .secrets,
            isRequired: required,
            example: example
        )
        return Self(info: info, presence: required ? .required : .optional) { node, key, root, reading in
            guard let items = node.listed else {
                return reading.fault(key, "takes a list, like [env:A, env:B]", at: node.origin)
            }
            guard (1...8).contains(items.count) else {
                return reading.fault(key, "takes one to eight secrets", at: node.origin)
            }
            root[keyPath: property] = items.enumerated().compactMap { index, item in
                let below = "\(key)[\(index)]"
                reading.origins[below] = item.origin
                return rule.value(of: item, at: below, in: &reading)
            }
        } show: { root, key in
            let count = root[keyPath: property].count
            return ShownSetting(info: info, key: key, content: .value(count == 0 ? .nothing : .secrets(count)))
        }
    }
}

extension SettingsChecks {
    /// Checks the keys of each provider's webhook against one another.
    static func webhooks(_ settings: Settings, in reading: inout SettingsReading) {
        for (name, provider) in settings.providers.sorted(by: { $0.key < $1.key }) {
            guard let webhook = provider.webhook else { continue }
            let key = "providers.\(name).webhook"
            switch webhook.scheme {
            case .standard: standard(webhook, at: key, in: &reading)
            case .hmac: hmac(webhook, at: key, in: &reading)
            }
        }
    }

    private static func standard(_ webhook: WebhookSettings, at key: String, in reading: inout SettingsReading) {
        for (index, secret) in webhook.secrets.enumerated() where WebhookKey.standard(secret) == nil {
            reading.fault("\(key).secrets[\(index)]", "is not whsec_ and 24 to 64 bytes in base64")
        }
        let own = [("header", webhook.header != nil), ("form", webhook.form != nil)]
        for (name, isThere) in own + [("timestampHeader", webhook.timestampHeader != nil)] where isThere {
            reading.fault("\(key).\(name)", "belongs to scheme hmac; standard has headers of its own")
        }
    }

    private static func hmac(_ webhook: WebhookSettings, at key: String, in reading: inout SettingsReading) {
        for (index, secret) in webhook.secrets.enumerated() where secret.expose().utf8.count < 16 {
            // RFC 2104 §3 wants the length of the hash; providers that give out less than half of it are not to be met.
            reading.fault("\(key).secrets[\(index)]", "has fewer than 16 characters")
        }
        if webhook.header == nil {
            reading.fault("\(key).header", "is missing; scheme hmac needs the signature's header")
        }
        if webhook.form == .stamped {
            guard webhook.timestampHeader != nil else { return }
            reading.fault("\(key).timestampHeader", "is not for form stamped, which has the time in its header")
        } else if webhook.timestampHeader == nil {
            reading.warn(
                key,
                "no time is signed, so that a webhook sent again after \(DurationText.format(webhook.tolerance + webhook.tolerance)) passes for a new one"
            )
        }
    }
}

extension WebhookSettings {
    /// The verifier's configuration, whose scheme is one value for four keys; the checks have seen that all are there.
    package var configuration: WebhookConfiguration {
        let scheme: WebhookConfiguration.Scheme =
            switch self.scheme {
            case .standard: .standard
            case .hmac: .hmac(.init(name: header ?? "", form: form ?? .hex, timestampHeader: timestampHeader))
            }
        return WebhookConfiguration(
            scheme: scheme,
            keys: secrets,
            tolerance: tolerance,
            reference: WebhookReferencePath(reference) ?? .root
        )
    }
}
