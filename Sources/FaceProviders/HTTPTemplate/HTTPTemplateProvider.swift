package import Kernel
package import Logging
package import Operations
package import Outbound

/// Face scans by a provider that the config describes (`kind: http`).
package struct HTTPTemplateProvider: FaceProvider {
    package let name: ProviderName
    package let checkConcurrency: Int

    private let configuration: HTTPTemplateConfiguration
    private let client: HTTPTemplateClient

    /// Creates a provider over `http`, which has the limits of the configuration's ``CallLimits``.
    ///
    /// The caller shuts `http` down.
    ///
    /// `publicURL`: the address at which browsers reach this server.
    package init(
        _ configuration: HTTPTemplateConfiguration,
        named name: ProviderName,
        publicURL: String,
        http: OutboundHTTP,
        environment: Environment,
        logger: Logger
    ) {
        var logger = logger
        logger[metadataKey: "provider"] = "\(name)"
        self.name = name
        checkConcurrency = configuration.calls.checkConcurrency
        self.configuration = configuration
        let requests = TemplateRequests(configuration, publicURL: publicURL, environment: environment)
        client = HTTPTemplateClient(configuration, requests, http: http, clock: environment.clock, logger: logger)
    }

    package var returnsToUs: Bool { configuration.begin.request.namesCallback }

    package var cancelsScans: Bool { configuration.cancel != nil }

    package func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        let reading = try await readBegin(request)
        return StartedScan(reference: reading.reference, page: reading.page)
    }

    package func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus {
        switch try await answer(about: reference) {
        case .good(let body): return CheckReading(body, of: reference, configuration.check).status
        case .oversized: return .nonsense
        case .refused(status: 404, _): return .unknownReference
        case .refused(_, let text): throw .refused(cause: "\(Label.check): \(text)")
        case .unavailable(_, let text): throw .unavailable(cause: "\(Label.check): \(text)")
        }
    }

    package func cancel(_ reference: ProviderReference) async throws(ProviderError) {
        guard let template = configuration.cancel else { return }
        let answer = try await client.send(
            template,
            TemplateRequests.Values(reference: reference.text),
            label: Label.cancel
        )
        // A scan that the provider does not know needs no cancelling.
        if case .refused(status: 404, _) = answer { return }
        _ = try answer.usable(for: Label.cancel)
    }

    /// Returns the content of the answer to `begin`.
    package func readBegin(_ request: ScanRequest) async throws(ProviderError) -> BeginReading {
        let values = TemplateRequests.Values(
            account: request.enrolment,
            timeLeft: request.timeLeft,
            returnTo: request.returnTo
        )
        let answer = try await client.send(configuration.begin.request, values, label: Label.begin)
        let body = try answer.usable(for: Label.begin)
        do throws(BeginReading.ReadingError) {
            return try BeginReading(body, configuration, publicURL: client.requests.publicURL)
        } catch {
            throw .unavailable(cause: "\(Label.begin): \(error.message)")
        }
    }

    /// Returns the content of the answer to `check`, or `nil` when the provider does not know the scan.
    package func readCheck(_ reference: ProviderReference) async throws(ProviderError) -> CheckReading? {
        let answer = try await answer(about: reference)
        if case .refused(status: 404, _) = answer { return nil }
        return CheckReading(try answer.usable(for: Label.check), of: reference, configuration.check)
    }

    private func answer(about reference: ProviderReference) async throws(ProviderError) -> TemplateAnswer {
        try await client.send(
            configuration.check.request,
            TemplateRequests.Values(reference: reference.text),
            label: Label.check
        )
    }

    /// The names of the calls in the log.
    private enum Label {
        static let begin = "starting a scan"
        static let check = "asking for a scan's status"
        static let cancel = "ending a scan"
    }
}
