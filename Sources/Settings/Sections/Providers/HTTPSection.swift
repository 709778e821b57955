import FaceProviders
import Kernel
import Outbound

extension SettingsSchema {
    static let httpProvider = SettingSection<ProviderSettings>(
        [
            .value(
                "baseURL",
                \.http.baseURL,
                as: .secureServerURL,
                help: "The address of its API. The requests' paths are added to it.",
                required: true
            ),
            .list(
                "pageOrigins",
                \.http.pageOrigins,
                as: .origin,
                help: "The origins of its pages. A browser is sent to no other.",
                required: true
            ),
            .values("secrets", \.http.secrets, as: .secret, help: "The secrets that templates use as {{secret.NAME}}."),
            .group("auth", \.http.auth, keys: httpAuth, help: "How its requests authenticate."),
            .values(
                "headers",
                \.http.headers,
                as: .header(.everyRequest),
                help: "Headers of every request.",
                names: .header
            ),
            .group("begin", \.http.begin, keys: httpBegin, help: "The request that starts a scan."),
            .group("check", \.http.check, keys: httpCheck, help: "The request that asks for the state of a scan."),
            .optionalGroup(
                "cancel",
                \.http.cancel,
                keys: SettingSection(httpRequest(.check)),
                blank: RequestTemplate(.delete, .noPath),
                help: "The request that ends a scan that is no longer needed."
            ),
            .list(
                "errorTexts",
                \.http.errorTexts,
                as: .jsonPointer,
                help: "The position of the cause in an error answer, for the log."
            ),
        ] + providerCalls
    )

    static let httpBegin = SettingSection<BeginTemplate>(
        httpRequest(.begin).map { $0.within(\.request) } + [
            .value(
                "reference",
                \.reference,
                as: .jsonPointer,
                help: "The position of the scan's id in the answer.",
                required: true
            ),
            .value(
                "page",
                \.pagePointer,
                as: SettingRule<JSONPointer>.jsonPointer.optional,
                help: "The position of the address of the person's page in the answer."
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
                help: "Further values of the answer, which pageURL uses as {{found.NAME}}."
            ),
        ]
    )

    /// `unnamedAnswer` must follow `reference`, whose pointer it clears: the checks refuse both together.
    static let httpCheck = SettingSection<CheckTemplate>(
        httpRequest(.check).map { $0.within(\.request) } + [
            .value(
                "reference",
                \.reference,
                as: SettingRule<JSONPointer>.jsonPointer.optional,
                help: "The position of the scan's id in the answer. An answer about another scan never counts."
            ),
            .value(
                "unnamedAnswer",
                \.isAnswerUnnamed,
                as: .flag,
                help: "Instead of reference, for an answer without such an id: only the request names the scan."
            ),
            .list(
                "status",
                \.status,
                as: .jsonPointer,
                help: "The position of the status in the answer. Several positions make rows with commas.",
                required: true
            ),
            .values(
                "verdicts",
                \.verdictsByStatus,
                as: .choice,
                help: "The verdict of each status, by the first row that fits: * is any value, ~ is no value.",
                names: .status,
                required: true
            ),
            .map(
                "require",
                each: httpRequirement,
                help: "Further conditions for an approval, by a name.",
                blank: { VerdictRequirement(name: $0, pointer: .root, rule: .equals(""), otherwise: .declined) },
                insert: { check, _, requirement in check.requirements.append(requirement) },
                elements: { check in check.requirements.map { ($0.name, $0) } }
            ),
        ],
        finish: { check in check.splitVerdicts() }
    )

    static let httpRequirement = SettingSection<VerdictRequirement>([
        .value(
            "pointer",
            \.pointer,
            as: .jsonPointer,
            help: "The position of the value in the answer.",
            required: true
        ),
        .value(
            "atLeast",
            \.atLeast,
            as: SettingRule<Double>.number.optional,
            help: "The least number that is accepted."
        ),
        .value("equals", \.equals, as: SettingRule<String>.text.optional, help: "The only text that is accepted."),
        .value("otherwise", \.otherwise, as: .refusal, help: "The verdict of the scan when the condition is not met."),
    ])

    /// The keys that every request has; `scope` decides which variables its templates may name.
    private static func httpRequest(_ scope: TemplateScope) -> [SettingField<RequestTemplate>] {
        [
            .value("method", \.method, as: .choice, help: "The method."),
            .value(
                "path",
                \.path,
                as: .template(.path, scope),
                help: "The path, and an optional query, with variables.",
                required: true
            ),
            .values(
                "headers",
                \.headers,
                as: .header(scope),
                help: "Headers of this request.",
                names: .header
            ),
            .value(
                "body",
                \.body,
                as: SettingRule<TemplateText>.template(.json, scope).optional,
                help: "A JSON document with variables. Without it no body is sent."
            ),
            .value(
                "sign",
                \.sign,
                as: SettingRule<TemplateText>.template(.signed, scope).optional,
                help: "auth hmac: the text that is signed for this request instead."
            ),
        ]
    }
}

extension HTTPTemplateConfiguration {
    /// A description whose keys are not read yet.
    static let unread = Self(
        baseURL: "",
        pageOrigins: [],
        begin: BeginTemplate(RequestTemplate(.post, .noPath), reference: .root, page: .at(.root)),
        check: CheckTemplate(
            RequestTemplate(.get, .noPath),
            reference: .root,
            status: [],
            verdicts: VerdictTable([])
        )
    )
}

extension ProviderSettings {
    /// The description of a provider of `kind: http`, and ``unread`` for another kind.
    fileprivate var http: HTTPTemplateConfiguration {
        get { if case .http(let described) = adapter { described } else { .unread } }
        set { adapter = .http(newValue) }
    }
}

/// The keys that set one property: the checks require exactly one of them.
extension BeginTemplate {
    fileprivate var pagePointer: JSONPointer? {
        get { if case .at(let pointer) = page { pointer } else { nil } }
        set { if let newValue { page = .at(newValue) } }
    }

    var pageURL: TemplateText? {
        get { if case .made(let text) = page { text } else { nil } }
        set { if let newValue { page = .made(newValue) } }
    }
}

extension CheckTemplate {
    /// Whether the config says that the answer does not name its scan, beyond a forgotten pointer.
    var isAnswerUnnamed: Bool {
        get { reference == nil }
        set { if newValue { reference = nil } }
    }

    /// The rows as written, before ``splitVerdicts()``.
    fileprivate var verdictsByStatus: [NamedValue<TemplateVerdict>] {
        get { verdicts.rows.map { NamedValue($0.text, $0.verdict) } }
        set { verdicts = VerdictTable(newValue.map { VerdictTable.Row($0.name, count: 1, verdict: $0.value) }) }
    }

    /// Splits each row into as many conditions as `status` has pointers, once all keys are read.
    fileprivate mutating func splitVerdicts() {
        let count = status.count
        verdicts = VerdictTable(
            verdicts.rows.map { VerdictTable.Row($0.text, count: count, verdict: $0.verdict) }
        )
    }
}

extension VerdictRequirement {
    fileprivate var atLeast: Double? {
        get { if case .atLeast(let least) = rule { least } else { nil } }
        set { if let newValue { rule = .atLeast(newValue) } }
    }

    fileprivate var equals: String? {
        get { if case .equals(let wanted) = rule { wanted } else { nil } }
        set { if let newValue { rule = .equals(newValue) } }
    }
}
