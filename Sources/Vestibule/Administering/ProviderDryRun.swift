import Assembly
import FaceProviders
import HTTPAPI
import Kernel
import Logging
import Operations
import Outbound
import Settings

/// The report of `provider test`.
struct ProviderReport: Encodable {
    let provider: String
    let kind: String
    var requests: [Request] = []
    var verdicts: [Verdict] = []
    var live: Live?
    /// The complaint; `nil` for a good provider.
    var problem: String?
    /// The exit code for ``problem``.
    var exitCode: Int32 = 1

    struct Request: Encodable {
        let name: String
        let method: String
        let url: String
        let headers: [String]
        let body: String?
    }

    struct Verdict: Encodable {
        let answer: String
        let verdict: String
        let reason: String
    }

    struct Live: Encodable {
        var reference: String?
        /// Whether a second begin made another scan than the first.
        var isNewEachTime: Bool?
        var pageOrigin: String?
        /// The value at each pointer of the check.
        var found: [String: String] = [:]
        var verdict: String?
        var reason: String?
    }

    private enum CodingKeys: String, CodingKey { case provider, kind, requests, verdicts, live, problem }

    /// The report as lines for people.
    var lines: [String] {
        var lines = ["\(provider) (\(kind))"]
        for request in requests {
            lines += ["", "\(request.name):  \(request.method) \(request.url)"]
            lines += request.headers.map { "  \($0)" }
            if let body = request.body { lines += body.split(separator: "\n").map { "  \($0)" } }
        }
        if !verdicts.isEmpty { lines += ["", "verdicts:"] }
        let width = verdicts.map(\.answer.count).max() ?? 0
        for verdict in verdicts {
            let gap = String(repeating: " ", count: width - verdict.answer.count)
            lines.append("  \(verdict.answer)\(gap)  \(verdict.verdict)  (\(verdict.reason))")
        }
        guard let live else { return lines }
        lines += ["", "live:"]
        if let reference = live.reference { lines.append("  reference: \(reference)") }
        if let isNew = live.isNewEachTime {
            lines.append("  begun twice: \(isNew ? "two scans" : "one scan for both")")
        }
        if let origin = live.pageOrigin { lines.append("  page: on \(origin)") }
        for (pointer, value) in live.found.sorted(by: { $0.key < $1.key }) { lines.append("  \(pointer): \(value)") }
        if let verdict = live.verdict { lines.append("  verdict: \(verdict)  (\(live.reason ?? ""))") }
        return lines
    }
}

/// Tries a provider out from a command, without the daemon and without a login.
struct ProviderDryRun {
    /// The time that a dry run's scan has.
    private static let timeLeft: Duration = .seconds(180)

    private let name: String
    private let settings: ProviderSettings
    private let publicURL: String
    private let environment: Environment

    init(name: String, _ settings: ProviderSettings, publicURL: String, environment: Environment) {
        self.name = name
        self.settings = settings
        self.publicURL = publicURL
        self.environment = environment
    }

    /// Returns the requests that would be sent, and the verdicts of sample answers.
    func dry(account: String = "ACCOUNT") throws -> ProviderReport {
        var report = ProviderReport(provider: name, kind: settings.kind)
        let (printed, samples) = try shown(account)
        report.requests = printed.map(ProviderReport.Request.init)
        report.verdicts = samples.map(ProviderReport.Verdict.init)
        let hidden = samples.filter { !$0.isAsWritten }.map(\.sample)
        if !hidden.isEmpty {
            report.problem = "Different from its row: \(hidden.joined(separator: "; ")). An earlier row may come first."
        }
        return report
    }

    private func shown(_ account: String) throws -> ([PrintedRequest], [SampleVerdict]) {
        let reference = "REFERENCE"
        do {
            switch settings.adapter {
            case .authID(let authID):
                let probe = AuthIDProbe(authID)
                let printed = try probe.printedRequests(account: account, reference: reference, timeLeft: Self.timeLeft)
                return (printed, probe.samples())
            case .http(let described):
                let probe = HTTPTemplateProbe(described, publicURL: publicURL, environment: environment)
                let printed = try probe.printedRequests(account: account, reference: reference, timeLeft: Self.timeLeft)
                return (printed, probe.samples())
            }
        } catch let fault as TemplateError {
            throw ExitError.refused("The request cannot be built: \(fault.message).")
        }
    }

    /// Two real scans for that account, which must not be one, and one check of the first.
    func live(_ account: String) async throws -> ProviderReport {
        var logger = Logger(label: "vestibule") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let registry = ProviderRegistry(
            [name: settings],
            publicURL: publicURL,
            environment: environment,
            logger: logger
        )
        var report = try dry(account: account)
        report.problem = nil
        do throws(ProviderError) {
            report.live = try await scan(account, at: registry.provider(name), described: registry.described(name))
        } catch {
            (report.problem, report.exitCode) = Self.problem(error)
        }
        await registry.shutdown()
        guard let live = report.live else { return report }
        let problems = [live.isNewEachTime == false ? Self.sameScanTwice : nil, Self.misfit(live)].compactMap { $0 }
        if !problems.isEmpty { report.problem = problems.joined(separator: "\n") }
        return report
    }

    private static let sameScanTwice = """
        Both begins gave the same scan, but each begin must create a new one. Otherwise a person who abandoned a login \
        cannot start another until it is purged.
        """

    private static func misfit(_ live: ProviderReport.Live) -> String? {
        guard ["unrecognised", "nonsense", "unknown_reference"].contains(live.verdict) else { return nil }
        return "The answer to check does not fit the config: \(live.reason ?? "")."
    }

    private func scan(
        _ account: String,
        at provider: (any FaceProvider)?,
        described: HTTPTemplateProvider?
    ) async throws(ProviderError) -> ProviderReport.Live {
        let request = ScanRequest(enrolment: account, timeLeft: Self.timeLeft)
        var live = ProviderReport.Live()
        if let described {
            let begun = try await described.readBegin(request)
            live.reference = configuration?.printable(begun.reference.text)
            live.pageOrigin = begun.pageOrigin
            let reading: CheckReading?
            do throws(ProviderError) {
                // Begins again, as another browser does while the first scan is open.
                let again = try await described.readBegin(request)
                live.isNewEachTime = again.reference != begun.reference
                if again.reference != begun.reference { try? await described.cancel(again.reference) }
                reading = try await described.readCheck(begun.reference)
            } catch {
                try? await described.cancel(begun.reference)
                throw error
            }
            live.tell(reading, configuration)
            // The dry run's scans belong to no login.
            try? await described.cancel(begun.reference)
        } else if let provider {
            let begun = try await provider.begin(request)
            live.reference = begun.reference.text
            live.pageOrigin = PageOrigin.of(begun.page.expose())
            live.isNewEachTime = try await provider.begin(request).reference != begun.reference
            live.verdict = try await provider.check(begun.reference).word
            live.reason = "as \(settings.kind) reads it"
        }
        return live
    }

    private var configuration: HTTPTemplateConfiguration? {
        switch settings.adapter {
        case .authID: nil
        case .http(let described): described
        }
    }

    private static func problem(_ failure: ProviderError) -> (String, Int32) {
        switch failure {
        case .unavailable(let cause), .unreached(let cause), .heldBack(let cause):
            ("The provider could not be used: \(cause).", 69)
        case .refused(let cause): ("The provider refused: \(cause).", 1)
        }
    }
}

extension ProviderReport.Request {
    fileprivate init(_ request: PrintedRequest) {
        self.init(
            name: request.name,
            method: request.method,
            url: request.url,
            headers: request.headers.map { "\($0.name): \($0.value)" },
            body: request.body.isEmpty ? nil : request.body
        )
    }
}

extension ProviderReport.Verdict {
    fileprivate init(_ sample: SampleVerdict) {
        self.init(answer: sample.sample, verdict: sample.status.word, reason: sample.reason)
    }
}

extension ProviderReport.Live {
    /// `reading`: `nil` when the provider did not know the scan.
    fileprivate mutating func tell(_ reading: CheckReading?, _ configuration: HTTPTemplateConfiguration?) {
        guard let reading, let configuration else {
            verdict = "unknown_reference"
            reason = "the provider does not know the scan"
            return
        }
        let check = configuration.check
        // Texts from outside go to a terminal. Unchanged, they could redraw it, or hold what was sent along.
        let printable = { (text: String) in configuration.printable(text) ?? "an unprintable value" }
        if let pointer = check.reference { found[pointer.text] = reading.reference.map(printable) ?? "nothing" }
        for (pointer, value) in zip(check.status, reading.values) {
            found[pointer.text] =
                value.map { $0.word.map(printable) ?? ($0.isNull ? "null" : "not a text or a whole number") } ?? "nothing"
        }
        for (requirement, finding) in reading.requirements {
            found[requirement.pointer.text] =
                switch finding {
                case .met: "require.\(requirement.name) is met"
                case .notMet: "require.\(requirement.name) is not met"
                case .unknown: "no value that require.\(requirement.name) can be compared with"
                }
        }
        verdict = reading.status.word
        reason = reading.reason
    }
}

extension ScanStatus {
    /// The word that configs and the audit have for it.
    fileprivate var word: String {
        switch self {
        case .pending(let progress): progress.rawValue
        case .approved: "approved"
        case .rejected(let rejection): rejection.failureCode.rawValue
        case .expired: "expired"
        case .canceled: "canceled"
        case .broken: "error"
        case .unrecognised: "unrecognised"
        case .nonsense: "nonsense"
        case .unknownReference: "unknown_reference"
        }
    }
}
