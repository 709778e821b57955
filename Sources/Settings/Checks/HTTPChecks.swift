import FaceProviders
import Kernel

extension SettingsChecks {
    /// Checks the keys of described providers against one another.
    static func httpProviders(_ settings: Settings, in reading: inout SettingsReading) {
        for (name, provider) in settings.providers.sorted(by: { $0.key < $1.key }) {
            guard case .http(let provider) = provider.adapter else { continue }
            let key = "providers.\(name)"
            names(provider, at: key, in: &reading)
            headers(provider, at: key, in: &reading)
            bindings(provider, at: key, in: &reading)
            begin(provider, at: "\(key).begin", in: &reading)
            check(provider.check, at: "\(key).check", in: &reading)
            signatures(provider, at: key, in: &reading)
            if settings.mode == .production { encryption(provider, at: key, in: &reading) }
        }
    }

    /// Checks that templates name only existing secrets and found values, where faulty ones count as existing.
    private static func names(_ provider: HTTPTemplateConfiguration, at key: String, in reading: inout SettingsReading)
    {
        for (below, template) in provider.templates {
            for name in template.secretNames where reading.origins["\(key).secrets.\(name)"] == nil {
                let known = provider.secrets.map(\.name)
                let list = known.isEmpty ? "none is configured" : known.joined(separator: ", ")
                reading.fault("\(key).\(below)", "{{secret.\(name)}} is not one of the secrets (\(list))")
            }
            for name in template.foundNames where reading.origins["\(key).begin.find.\(name)"] == nil {
                reading.fault("\(key).\(below)", "{{found.\(name)}} is not in find")
            }
        }
    }

    /// A header must not be sent twice: the server might take either of the two.
    private static func headers(
        _ provider: HTTPTemplateConfiguration,
        at key: String,
        in reading: inout SettingsReading
    ) {
        let ofAuth = provider.auth.header.map { [$0.lowercased()] } ?? []
        let common = Set(provider.headers.map { $0.name.lowercased() })
        let sections =
            [("headers", provider.headers)] + provider.requests.map { ("\($0.key).headers", $0.request.headers) }
        for (below, headers) in sections {
            var seen = below == "headers" ? Set(ofAuth) : common.union(ofAuth)
            for header in headers where !seen.insert(header.name.lowercased()).inserted {
                let isAuth = ofAuth.contains(header.name.lowercased())
                let message = isAuth ? "is written twice: auth sets it too" : "is written twice"
                reading.fault("\(key).\(below).\(header.name)", message)
            }
        }
    }

    /// A scan that names no account would let any face sign in, and so would an answer that names no scan.
    private static func bindings(
        _ provider: HTTPTemplateConfiguration,
        at key: String,
        in reading: inout SettingsReading
    ) {
        if provider.begin.request.isWhole(reading, "\(key).begin"), !provider.begin.request.names(.account) {
            let why = "so any person's face would pass. Put it in the path, a header or the body"
            reading.fault("\(key).begin", "names {{account}} nowhere, \(why)")
        }
        for (below, request) in provider.requests where below != "begin" {
            guard request.isWhole(reading, "\(key).\(below)"), !request.names(.reference) else { continue }
            let why = "so the provider cannot know which scan is meant"
            reading.fault("\(key).\(below)", "names {{reference}} nowhere, \(why)")
        }
    }

    private static func begin(_ provider: HTTPTemplateConfiguration, at key: String, in reading: inout SettingsReading)
    {
        let begin = provider.begin
        let isPageWritten = reading.origins["\(key).page"] != nil
        let isURLWritten = reading.origins["\(key).pageURL"] != nil
        if isPageWritten == isURLWritten, reading.origins[key] != nil {
            reading.fault(
                key,
                isPageWritten ? "has page and pageURL. Write only one of them" : "has neither page nor pageURL"
            )
        }
        if let url = begin.pageURL {
            let origin = PageOrigin.of(url.beginning)
            let isWhole = url.beginning.dropFirst(8).contains("/")
            if !isWhole || !(origin.map(provider.pageOrigins.contains) ?? false) {
                reading.fault("\(key).pageURL", "does not begin with one of pageOrigins and a /")
            }
        }
        if begin.pageURL == nil, let unused = begin.find.first {
            reading.fault("\(key).find.\(unused.name)", "is for pageURL, which is not written")
        }
    }

    private static func check(_ check: CheckTemplate, at key: String, in reading: inout SettingsReading) {
        for row in check.verdicts.rows {
            let below = "\(key).verdicts.\(row.text)"
            guard !check.status.isEmpty else { continue }
            guard row.matches.count == check.status.count else {
                reading.fault(below, "does not have one value for each of the \(check.status.count) of status")
                continue
            }
            if row.verdict == .approved, !row.isExact {
                reading.fault(below, "approves without naming every value. Use * and ~ only for other verdicts")
            }
        }
        if !check.verdicts.rows.isEmpty, !check.verdicts.rows.contains(where: { $0.verdict == .approved }) {
            reading.fault("\(key).verdicts", "has no row with the verdict approved, so nobody could sign in")
        }
        for requirement in check.requirements {
            let below = "\(key).require.\(requirement.name)"
            let isLeast = reading.origins["\(below).atLeast"] != nil
            guard isLeast == (reading.origins["\(below).equals"] != nil) else { continue }
            reading.fault(below, "takes one of atLeast and equals")
        }
        answerName(check, at: key, in: &reading)
    }

    /// An answer about another scan must not count as one about this scan.
    private static func answerName(_ check: CheckTemplate, at key: String, in reading: inout SettingsReading) {
        let isNamed = reading.origins["\(key).reference"] != nil
        if isNamed, check.isAnswerUnnamed {
            reading.fault(
                "\(key).unnamedAnswer",
                "is for answers without an id, but reference names the position of one"
            )
        }
        guard reading.origins[key] != nil, !isNamed, !check.isAnswerUnnamed else { return }
        let way = "Write the position of the scan's id in the answer, or unnamedAnswer: true if it has none"
        reading.fault("\(key).reference", "is missing. \(way)")
    }

    private static func signatures(
        _ provider: HTTPTemplateConfiguration,
        at key: String,
        in reading: inout SettingsReading
    ) {
        if case .hmac(let signature) = provider.auth {
            if let complaint = signature.header.isEmpty ? nil : HeaderNameRule.complaint(about: signature.header) {
                reading.fault("\(key).auth.header", complaint)
            }
            if signature.value.map({ !$0.names(.signature) }) ?? false {
                reading.fault("\(key).auth.value", "has no {{signature}}")
            }
            return
        }
        for (below, request) in provider.requests where request.sign != nil {
            reading.fault("\(key).\(below).sign", "is only for auth hmac")
        }
    }

    /// Requires https in production: keys and pages cross no network unencrypted, not even within this machine.
    private static func encryption(
        _ provider: HTTPTemplateConfiguration,
        at key: String,
        in reading: inout SettingsReading
    ) {
        var urls = [("baseURL", provider.baseURL)] + provider.pageOrigins.map { ("pageOrigins", $0) }
        if case .clientCredentials(let credentials) = provider.auth {
            urls.append(("auth.tokenURL", credentials.tokenURL))
        }
        for (below, url) in urls where url.hasPrefix("http:") {
            reading.fault("\(key).\(below)", "\(SettingError.quoted(url)) is plain http. Production takes https")
        }
    }
}

extension TemplateAuth {
    /// The name of the header that authenticates a request; `nil` if there is none.
    fileprivate var header: String? {
        switch self {
        case .none: nil
        case .basic, .bearer, .clientCredentials: "Authorization"
        case .hmac(let signature): signature.header.isEmpty ? nil : signature.header
        }
    }
}

extension RequestTemplate {
    /// Whether the request's path, a header or its body contains the variable.
    fileprivate func names(_ variable: TemplateVariable) -> Bool {
        path.names(variable) || body?.names(variable) ?? false || headers.contains { $0.value.names(variable) }
    }

    /// Whether all written keys of the request were read, so that none is missing because of a fault.
    fileprivate func isWhole(_ reading: SettingsReading, _ key: String) -> Bool {
        let isBodyRead = body != nil || reading.origins["\(key).body"] == nil
        let written = reading.origins.keys.count { $0.hasPrefix("\(key).headers.") }
        return path != .noPath && isBodyRead && headers.count == written
    }
}

extension HTTPTemplateConfiguration {
    /// The requests of the provider, each with its key in the config.
    fileprivate var requests: [(key: String, request: RequestTemplate)] {
        [("begin", begin.request), ("check", check.request)] + (cancel.map { [("cancel", $0)] } ?? [])
    }

    /// The templates of the provider, each with its key in the config.
    fileprivate var templates: [(key: String, template: TemplateText)] {
        var all = headers.map { ("headers.\($0.name)", $0.value) }
        for (key, request) in requests {
            all += request.headers.map { ("\(key).headers.\($0.name)", $0.value) }
            all.append(("\(key).path", request.path))
            for (name, template) in [("body", request.body), ("sign", request.sign)] {
                if let template { all.append(("\(key).\(name)", template)) }
            }
        }
        if let url = begin.pageURL { all.append(("begin.pageURL", url)) }
        if case .hmac(let signature) = auth {
            for (name, template) in [("sign", signature.sign), ("value", signature.value)] {
                if let template { all.append(("auth.\(name)", template)) }
            }
        }
        return all
    }
}
