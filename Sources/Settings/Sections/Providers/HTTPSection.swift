import FaceProviders
import Kernel
import Outbound

/// The keys of `kind: http`.
extension SettingsSchema {
    static let httpProvider = SettingSection<HTTPProviderSettings>(
        [
            .value(
                "baseURL",
                \.baseURL,
                as: .secureServerURL,
                help: "Where its API is; the requests' paths are added.",
                required: true
            ),
            .list(
                "pageOrigins",
                \.pageOrigins,
                as: .origin,
                help: "The origins of its pages: a browser is sent to no other.",
                required: true
            ),
            .values("secrets", \.secrets, as: .secret, help: "What templates call {{secret.NAME}}."),
            .group("auth", \.auth, keys: httpAuth, help: "How its requests prove who sends them."),
            .values(
                "headers",
                \.headers,
                as: .header(.everyRequest),
                help: "Headers of every request.",
                names: .header
            ),
            .group("begin", \.begin, keys: httpBegin, help: "The request that starts a scan."),
            .group("check", \.check, keys: httpCheck, help: "The request that asks where a scan stands."),
            .optionalGroup(
                "cancel",
                \.cancel,
                keys: SettingSection(httpRequest(\.self, .check)),
                blank: HTTPRequestSettings(method: .delete),
                help: "The request that ends a scan which nobody needs any more."
            ),
            .list(
                "errorTexts",
                \.errorTexts,
                as: .jsonPointer,
                help: "Where an error answer says what is wrong, for the log."
            ),
        ] + providerCalls()
    )

    static let httpBegin = SettingSection<HTTPBeginSettings>(
        httpRequest(\.request, .begin) + [
            .value(
                "reference",
                \.reference,
                as: .jsonPointer,
                help: "Where in the answer the scan's id stands.",
                required: true
            ),
            .value(
                "page",
                \.page,
                as: SettingRule<String>.jsonPointer.optional,
                help: "Where in the answer the address of the person's page stands."
            ),
            .value(
                "pageURL",
                \.pageURL,
                as: SettingRule<TemplateText>.template(.path, .page).optional,
                help: "Instead of page: the address itself, with {{reference}} and {{found.NAME}}."
            ),
            .values(
                "find",
                \.find,
                as: .jsonPointer,
                help: "Further values of the answer, which pageURL calls {{found.NAME}}."
            ),
        ]
    )

    static let httpCheck = SettingSection<HTTPCheckSettings>(
        httpRequest(\.request, .check) + [
            .value(
                "reference",
                \.reference,
                as: SettingRule<String>.jsonPointer.optional,
                help: "Where in the answer the scan's id stands; one about another scan never counts."
            ),
            .value(
                "unnamedAnswer",
                \.isAnswerUnnamed,
                as: .flag,
                help: "Instead of reference, where the answer has no such id: nothing but the request names the scan."
            ),
            .list(
                "status",
                \.status,
                as: .jsonPointer,
                help: "Where in the answer the status stands; several make rows with commas.",
                required: true
            ),
            .values(
                "verdicts",
                \.verdicts,
                as: .choice,
                help: "What each status amounts to, the first row that fits: * is any value, ~ none at all.",
                names: .status,
                required: true
            ),
            .map(
                "require",
                each: httpRequirement,
                help: "What must hold besides before an approval counts, by a name.",
                blank: { _ in HTTPRequirementSettings() },
                insert: { check, name, requirement in
                    check.require.append(NamedSetting(name: name, value: requirement))
                },
                elements: { check in check.require.map { ($0.name, $0.value) } }
            ),
        ]
    )

    static let httpRequirement = SettingSection<HTTPRequirementSettings>([
        .value("pointer", \.pointer, as: .jsonPointer, help: "Where in the answer the value stands.", required: true),
        .value("atLeast", \.atLeast, as: SettingRule<Double>.number.optional, help: "The least number that will do."),
        .value("equals", \.equals, as: SettingRule<String>.text.optional, help: "The one text that will do."),
        .value("otherwise", \.otherwise, as: .refusal, help: "What the scan amounts to when it does not hold."),
    ])

    /// The keys that every request has; `cancel` and `check` differ in what they are called by.
    private static func httpRequest<Root>(
        _ request: any WritableKeyPath<Root, HTTPRequestSettings> & Sendable,
        _ scope: TemplateScope
    ) -> [SettingField<Root>] {
        [
            .part("method", \.method, of: request, as: .choice, help: "The method."),
            .part(
                "path",
                \.path,
                of: request,
                as: SettingRule<TemplateText>.template(.path, scope).optional,
                help: "The path, and perhaps a query, with its variables.",
                required: true
            ),
            .values(
                "headers",
                \.headers,
                of: request,
                as: .header(scope),
                help: "Headers of this request.",
                names: .header
            ),
            .part(
                "body",
                \.body,
                of: request,
                as: SettingRule<TemplateText>.template(.json, scope).optional,
                help: "A JSON document with its variables; without it there is no body."
            ),
            .part(
                "sign",
                \.sign,
                of: request,
                as: SettingRule<TemplateText>.template(.signed, scope).optional,
                help: "auth hmac: what is signed of this request instead."
            ),
        ]
    }
}
