package import FaceProviders
import Kernel
import Operations

extension HTTPTemplateConfiguration {
    /// Returns `nil` for settings that the checks refuse.
    ///
    /// A faulty config is checked with holes where its faults are, and the adapter's requests, pages and rows of verdicts have
    /// none: so they are read into settings first.
    package init?(_ name: String, _ settings: HTTPProviderSettings, publicURL: String) {
        guard let begin = BeginTemplate(settings.begin), let check = CheckTemplate(settings.check),
            let auth = TemplateAuth(settings.auth)
        else { return nil }
        self.init(
            name: ProviderName(name),
            baseURL: settings.baseURL,
            publicURL: publicURL,
            pageOrigins: settings.pageOrigins,
            secrets: Dictionary(settings.secrets.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
            auth: auth,
            headers: settings.headers.map { TemplateHeader($0.name, $0.value) },
            begin: begin,
            check: check,
            cancel: settings.cancel.flatMap { RequestTemplate($0) },
            errorTexts: settings.errorTexts.compactMap { JSONPointer($0) }
        )
        connectTimeout = settings.connectTimeout
        requestTimeout = settings.requestTimeout
        checkConcurrency = settings.maxConcurrentChecks
        startConcurrency = settings.guarding.policy.concurrentStarts
        maxResponseBytes = settings.maxResponseBytes
    }
}

extension RequestTemplate {
    fileprivate init?(_ settings: HTTPRequestSettings) {
        guard let path = settings.path else { return nil }
        self.init(
            settings.method,
            path,
            headers: settings.headers.map { TemplateHeader($0.name, $0.value) },
            body: settings.body,
            sign: settings.sign
        )
    }
}

extension BeginTemplate {
    fileprivate init?(_ settings: HTTPBeginSettings) {
        guard let request = RequestTemplate(settings.request), let reference = JSONPointer(settings.reference),
            let page = Page(settings)
        else { return nil }
        let find = settings.find.compactMap { setting in JSONPointer(setting.value).map { (setting.name, $0) } }
        self.init(
            request,
            reference: reference,
            page: page,
            find: Dictionary(find, uniquingKeysWith: { first, _ in first })
        )
    }
}

extension BeginTemplate.Page {
    fileprivate init?(_ settings: HTTPBeginSettings) {
        if let url = settings.pageURL {
            self = .made(url)
        } else if let pointer = settings.page.flatMap({ JSONPointer($0) }) {
            self = .at(pointer)
        } else {
            return nil
        }
    }
}

extension CheckTemplate {
    fileprivate init?(_ settings: HTTPCheckSettings) {
        guard let request = RequestTemplate(settings.request) else { return nil }
        let status = settings.status.compactMap { JSONPointer($0) }
        self.init(
            request,
            reference: settings.reference.flatMap { JSONPointer($0) },
            status: status,
            verdicts: VerdictTable(
                settings.verdicts.compactMap { VerdictTable.Row($0.name, count: status.count, verdict: $0.value) }
            ),
            requirements: settings.require.compactMap { VerdictRequirement($0.name, $0.value) }
        )
    }
}

extension VerdictRequirement {
    fileprivate init?(_ name: String, _ settings: HTTPRequirementSettings) {
        guard let pointer = JSONPointer(settings.pointer) else { return nil }
        let rule: Rule
        if let least = settings.atLeast {
            rule = .atLeast(least)
        } else if let wanted = settings.equals {
            rule = .equals(wanted)
        } else {
            return nil
        }
        self.init(name: name, pointer: pointer, rule: rule, otherwise: settings.otherwise)
    }
}

extension TemplateAuth {
    fileprivate init?(_ settings: HTTPAuthSettings) {
        switch settings {
        case .none: self = .none
        case .basic(let basic): self = .basic(user: basic.user, password: basic.password)
        case .bearer(let bearer): self = .bearer(bearer.token)
        case .oauth(let oauth): self = .clientCredentials(ClientCredentials(oauth))
        case .hmac(let signature):
            guard let signature = RequestSignature(signature) else { return nil }
            self = .hmac(signature)
        }
    }
}

extension ClientCredentials {
    fileprivate init(_ settings: HTTPOAuthSettings) {
        self.init(
            tokenURL: settings.tokenURL,
            clientID: settings.clientID,
            clientSecret: settings.clientSecret,
            transport: settings.credentials,
            scope: settings.scope,
            audience: settings.audience
        )
    }
}

extension RequestSignature {
    fileprivate init?(_ settings: HTTPSignatureSettings) {
        guard let sign = settings.sign ?? (try? TemplateText("{{body}}", .signed, in: .everyRequest)),
            let value = settings.value ?? (try? TemplateText("{{signature}}", .header, in: .signature))
        else { return nil }
        self.init(header: settings.header, key: settings.key, sign: sign, encoding: settings.encoding, value: value)
    }
}
