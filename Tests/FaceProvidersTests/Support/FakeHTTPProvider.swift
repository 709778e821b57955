import FaceProviders
import Kernel
import MemoryStore
import Operations
import Outbound
import ScriptedServer
import Testing

/// A described provider in front of a scripted server.
struct FakeHTTPProvider: Sendable {
    static let requestTimeout: Duration = .seconds(60)

    let provider: HTTPTemplateProvider
    let server: ScriptedServer
    let time: VirtualTime
    let log: LogRecorder

    /// The sample as it is.
    static func run(
        _ script: @escaping ScriptedServer.Script,
        during body: (FakeHTTPProvider) async throws -> Void
    ) async throws { try await run({ _ in }, script, during: body) }

    /// `change` makes the configuration what the test needs; the base URL is the server's.
    static func run(
        _ change: (inout HTTPTemplateConfiguration) throws -> Void,
        time: VirtualTime = VirtualTime(),
        _ script: @escaping ScriptedServer.Script,
        during body: (FakeHTTPProvider) async throws -> Void
    ) async throws {
        let log = LogRecorder()
        try await ScriptedServer.run(script) { server in
            var configuration = try HTTPTemplateConfiguration.sample(at: server.url)
            configuration.calls.requestTimeout = requestTimeout
            configuration.calls.connectTimeout = requestTimeout
            try change(&configuration)
            try await OutboundHTTP.use(configuration.calls.outbound(starts: 32), clock: time) { http in
                let provider = HTTPTemplateProvider(
                    configuration,
                    named: ProviderName("sample"),
                    publicURL: "https://login.example.com",
                    http: http,
                    environment: time.environment,
                    logger: log.logger
                )
                try await body(FakeHTTPProvider(provider: provider, server: server, time: time, log: log))
            }
        }
    }

    func begin(
        _ account: String = "link-1",
        timeLeft: Duration = .seconds(180)
    ) async throws(ProviderError)
        -> StartedScan
    { try await provider.begin(ScanRequest(enrolment: account, timeLeft: timeLeft)) }

    func check() async throws(ProviderError) -> ScanStatus { try await provider.check(ProviderReference("scan-1")) }

    /// Returns what a call that should not work throws; `nil` if it works.
    func failure<Value>(_ call: () async throws(ProviderError) -> Value) async -> ProviderError? {
        do throws(ProviderError) {
            _ = try await call()
            return nil
        } catch {
            return error
        }
    }
}

extension HTTPTemplateConfiguration {
    /// `POST /scans` and `GET /scans/{id}`, with every sort of place in them.
    static func sample(at url: String) throws -> HTTPTemplateConfiguration {
        HTTPTemplateConfiguration(
            baseURL: url,
            pageOrigins: ["https://scan.example.com"],
            secrets: [NamedValue("key", Secret("a-key-of-ours"))],
            headers: [TemplateHeader("X-Key", try TemplateText("{{secret.key}}", .header, in: .everyRequest))],
            begin: BeginTemplate(
                RequestTemplate(
                    .post,
                    try TemplateText("/scans", .path, in: .begin),
                    body: try TemplateText(
                        #"{"user":"{{account}}","seconds":{{deadlineSeconds}},"until":"{{deadlineTime}}"}"#,
                        .json,
                        in: .begin
                    )
                ),
                reference: try pointer("/id"),
                page: .at(try pointer("/url"))
            ),
            check: CheckTemplate(
                RequestTemplate(.get, try TemplateText("/scans/{{reference}}", .path, in: .check)),
                reference: try pointer("/id"),
                status: [try pointer("/status")],
                verdicts: VerdictTable([("ok", .approved), ("no", .declined), ("wait", .processing)].map(row))
            )
        )
    }

    static func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }

    private static func row(_ text: String, _ verdict: TemplateVerdict) -> VerdictTable.Row {
        VerdictTable.Row(text, count: 1, verdict: verdict)
    }
}
