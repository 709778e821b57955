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
                .secureServerURL,
                "Where its API is; the requests' paths are added.",
                required: true
            ),
            .list(
                "pageOrigins",
                \.pageOrigins,
                .origin,
                "The origins of its pages: a browser is sent to no other.",
                required: true
            ),
            .values("secrets", \.secrets, .secret, "What templates call {{secret.NAME}}."),
            .group("auth", \.auth, httpAuth, "How its requests prove who sends them."),
            .values("headers", \.headers, .header(.everyRequest), "Headers of every request.", names: .header),
            .group("begin", \.begin, httpBegin, "The request that starts a scan."),
            .group("check", \.check, httpCheck, "The request that asks where a scan stands."),
            .optionalGroup(
                "cancel",
                \.cancel,
                SettingSection(httpRequest(\.self, .check)),
                blank: HTTPRequestSettings(method: .delete),
                "The request that ends a scan which nobody needs any more."
            ),
            .list("errorTexts", \.errorTexts, .jsonPointer, "Where an error answer says what is wrong, for the log."),
        ] + providerCalls()
    )

    static let httpBegin = SettingSection<HTTPBeginSettings>(
        httpRequest(\.request, .begin) + [
            .value("reference", \.reference, .jsonPointer, "Where in the answer the scan's id stands.", required: true),
            .value(
                "page",
                \.page,
                SettingRule<String>.jsonPointer.optional,
                "Where in the answer the address of the person's page stands."
            ),
            .value(
                "pageURL",
                \.pageURL,
                SettingRule<TemplateText>.template(.path, .page).optional,
                "Instead of page: the address itself, with {{reference}} and {{found.NAME}}."
            ),
            .values("find", \.find, .jsonPointer, "Further values of the answer, which pageURL calls {{found.NAME}}."),
        ]
    )

    static let httpCheck = SettingSection<HTTPCheckSettings>(
        httpRequest(\.request, .check) + [
            .value(
                "reference",
                \.reference,
                SettingRule<String>.jsonPointer.optional,
                "Where in the answer the scan's id stands; one about another scan never counts."
            ),
            .value(
                "unnamedAnswer",
                \.isAnswerUnnamed,
                .flag,
                "Instead of reference, where the answer has no such id: nothing but the request names the scan."
            ),
            .list(
                "status",
                \.status,
                .jsonPointer,
                "Where in the answer the status stands; several make rows with commas.",
                required: true
            ),
            .values(
                "verdicts",
                \.verdicts,
                .choice,
                "What each status amounts to, the first row that fits: * is any value, ~ none at all.",
                names: .status,
                required: true
            ),
            .map(
                "require",
                httpRequirement,
                "What must hold besides before an approval counts, by a name.",
                blank: { _ in HTTPRequirementSettings() },
                insert: { check, name, requirement in
                    check.require.append(NamedSetting(name: name, value: requirement))
                },
                elements: { check in check.require.map { ($0.name, $0.value) } }
            ),
        ]
    )

    static let httpRequirement = SettingSection<HTTPRequirementSettings>([
        .value("pointer", \.pointer, .jsonPointer, "Where in the answer the value stands.", required: true),
        .value("atLeast", \.atLeast, SettingRule<Double>.number.optional, "The least number that will do."),
        .value("equals", \.equals, SettingRule<String>.text.optional, "The one text that will do."),
        .value("otherwise", \.otherwise, .refusal, "What the scan amounts to when it does not hold."),
    ])

    /// The keys that every request has; `cancel` and `check` differ in what they are called by.
    private static func httpRequest<Root>(
        _ request: any WritableKeyPath<Root, HTTPRequestSettings> & Sendable,
        _ scope: TemplateScope
    ) -> [SettingField<Root>] {
        [
            .part("method", request, \.method, .choice, "The method."),
            .part(
                "path",
                request,
                \.path,
                SettingRule<TemplateText>.template(.path, scope).optional,
                "The path, and perhaps a query, with its variables.",
                required: true
            ),
            .values("headers", request, \.headers, .header(scope), "Headers of this request.", names: .header),
            .part(
                "body",
                request,
                \.body,
                SettingRule<TemplateText>.template(.json, scope).optional,
                "A JSON document with its variables; without it there is no body."
            ),
            .part(
                "sign",
                request,
                \.sign,
                SettingRule<TemplateText>.template(.signed, scope).optional,
                "auth hmac: what is signed of this request instead."
            ),
        ]
    }
}
