package import Kernel
import Operations
import Outbound

/// Shows the effect of a described provider's config, without sending a request.
package struct HTTPTemplateProbe: Sendable {
    private let configuration: HTTPTemplateConfiguration
    private let requests: TemplateRequests

    /// `publicURL`: the address at which browsers reach this server.
    package init(_ configuration: HTTPTemplateConfiguration, publicURL: String, environment: Environment) {
        self.configuration = configuration
        requests = TemplateRequests(configuration, publicURL: publicURL, environment: environment)
    }

    /// Returns every request, for the given account and scan.
    ///
    /// - Throws: ``TemplateError`` when a template's position does not allow the account or the scan's reference.
    package func printedRequests(
        account: String,
        reference: String,
        timeLeft: Duration
    ) throws(TemplateError) -> [PrintedRequest] {
        var printed: [PrintedRequest] = []
        if case .clientCredentials(let credentials) = configuration.auth { printed.append(.token(credentials)) }
        let begin = TemplateRequests.Values(account: account, timeLeft: timeLeft, isMasked: true)
        printed.append(try print("begin", configuration.begin.request, with: begin))
        let scan = TemplateRequests.Values(reference: reference, isMasked: true)
        printed.append(try print("check", configuration.check.request, with: scan))
        if let cancel = configuration.cancel { printed.append(try print("cancel", cancel, with: scan)) }
        return printed
    }

    private func print(
        _ name: String,
        _ template: RequestTemplate,
        with values: TemplateRequests.Values
    ) throws(TemplateError) -> PrintedRequest {
        let request = try requests.request(template, values)
        guard let printed = PrintedRequest(name, request) else { throw .unfitText("is not a URL") }
        return printed
    }

    /// Returns the verdicts on sample answers: for each row of the table, each unmet condition, and answers that must
    /// approve no login.
    package func samples() -> [SampleVerdict] {
        let template = configuration.check
        var samples: [SampleVerdict] = []
        for row in template.verdicts.rows {
            let reading = read(answer(row))
            samples.append(
                SampleVerdict(
                    sample: "status \(row.text)",
                    status: reading.status,
                    reason: reading.reason,
                    isAsWritten: reading.row == row && reading.status == row.verdict.status
                )
            )
        }
        guard let approving = template.verdicts.rows.first(where: { $0.verdict == .approved }) else { return samples }
        for requirement in template.requirements {
            samples.append(
                sample(
                    "\(approving.text), \(requirement.name) is not met",
                    answer(approving, failing: requirement),
                    expecting: requirement.otherwise.status
                )
            )
            samples.append(
                sample(
                    "\(approving.text), \(requirement.name) is missing",
                    answer(approving, without: requirement),
                    expecting: .unrecognised
                )
            )
        }
        if template.reference != nil {
            let other = answer(approving, reference: "another-scan")
            samples.append(sample("\(approving.text), of another scan", other, expecting: .nonsense))
        }
        let unknown = VerdictTable.Row(
            Array(repeating: "a-status-of-no-row", count: template.status.count).joined(separator: ","),
            count: template.status.count,
            verdict: .error
        )
        let reading = read(answer(unknown))
        samples.append(
            SampleVerdict(
                sample: "a status without a row",
                status: reading.status,
                reason: reading.reason,
                isAsWritten: reading.status != .approved
            )
        )
        return samples
    }

    private static let scan = "our-scan"

    private func sample(_ text: String, _ answer: JSONValue, expecting status: ScanStatus) -> SampleVerdict {
        let reading = read(answer)
        return SampleVerdict(
            sample: text,
            status: reading.status,
            reason: reading.reason,
            isAsWritten: reading.status == status
        )
    }

    private func read(_ answer: JSONValue) -> CheckReading {
        CheckReading(answer, of: ProviderReference(Self.scan), configuration.check)
    }

    /// Returns a sample answer that fits the row.
    private func answer(
        _ row: VerdictTable.Row,
        failing failed: VerdictRequirement? = nil,
        without missing: VerdictRequirement? = nil,
        reference: String = scan
    ) -> JSONValue {
        var answer = JSONValue.object([:])
        if let pointer = configuration.check.reference { pointer.put(.string(reference), into: &answer) }
        for requirement in configuration.check.requirements where requirement != missing {
            requirement.pointer.put(requirement.sample(holding: requirement != failed), into: &answer)
        }
        for (pointer, match) in zip(configuration.check.status, row.matches) {
            switch match {
            case .word(let word): pointer.put(.string(word), into: &answer)
            case .anything: pointer.put(.string("anything"), into: &answer)
            case .absent: continue
            }
        }
        return answer
    }
}

extension PrintedRequest {
    fileprivate static func token(_ credentials: ClientCredentials) -> PrintedRequest {
        var body = "grant_type=client_credentials"
        if let scope = credentials.scope { body += "&scope=\(PercentEncoding.component(scope))" }
        if let audience = credentials.audience { body += "&audience=\(PercentEncoding.component(audience))" }
        var headers = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
        switch credentials.transport {
        case .basic: headers.append(("Authorization", "Basic <secret>"))
        case .body: body += "&client_id=<secret>&client_secret=<secret>"
        }
        return PrintedRequest(name: "token", method: "POST", url: credentials.tokenURL, headers: headers, body: body)
    }
}

extension VerdictRequirement {
    /// Returns a value that meets the rule, or one that does not.
    fileprivate func sample(holding: Bool) -> JSONValue {
        switch rule {
        case .atLeast(let least): .number(String(holding ? least : least - max(1, abs(least) / 2)))
        case .equals(let wanted): .string(holding ? wanted : wanted + "-not")
        }
    }
}

extension JSONPointer {
    /// Puts a value at this pointer.
    ///
    /// Missing lists on the way become objects, which a pointer reads the same way.
    fileprivate func put(_ value: JSONValue, into document: inout JSONValue) {
        document = Self.putting(value, at: tokens[...], into: document)
    }

    private static func putting(_ value: JSONValue, at tokens: ArraySlice<String>, into old: JSONValue) -> JSONValue {
        guard let token = tokens.first else { return value }
        var members: [String: JSONValue] = [:]
        if case .object(let there) = old { members = there }
        members[token] = putting(value, at: tokens.dropFirst(), into: members[token] ?? .null)
        return .object(members)
    }
}
