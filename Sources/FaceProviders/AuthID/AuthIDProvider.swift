package import Kernel
package import Logging
package import Operations
package import Outbound

/// Face scans by authID: "Verify_Identity" transactions, whose status is polled.
package struct AuthIDProvider: FaceProvider {
    package let name: ProviderName
    package let checkConcurrency: Int

    let client: AuthIDClient
    let pageURL: String
    package var enrolsFaces: Bool { true }

    /// Creates a provider over `http`, which has the limits of the configuration's ``CallLimits``.
    ///
    /// The caller shuts `http` down.
    package init(
        _ configuration: AuthIDConfiguration,
        named name: ProviderName,
        http: OutboundHTTP,
        environment: Environment,
        logger: Logger
    ) {
        var logger = logger
        logger[metadataKey: "provider"] = "\(name)"
        self.name = name
        checkConcurrency = configuration.calls.checkConcurrency
        pageURL = configuration.pageURL
        client = AuthIDClient(configuration, http: http, environment: environment, logger: logger)
    }

    package func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        // Rounded down: the deadline at the provider must not be later than this server's.
        let seconds = max(1, request.timeLeft.components.seconds)
        if let applicant = request.applicant { return try await beginEnrolment(of: applicant, seconds: seconds) }
        let call = AuthIDCall.beginTransaction(account: request.enrolment, seconds: seconds)
        let body = try await client.send(call).usable(for: call)
        guard let transaction = AuthIDTransaction(parsing: body), !Self.isMarked(transaction.id) else {
            throw .unreadable(call)
        }
        return StartedScan(
            reference: ProviderReference(transaction.id),
            page: AuthIDPage.address(at: pageURL, transaction: transaction.id, secret: transaction.secret)
        )
    }

    package func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus {
        if let operation = Self.enrolment(of: reference) { return try await checkEnrolment(operation) }
        let call = AuthIDCall.transactionStatus(reference)
        switch try await client.send(call) {
        case .good(let body): return AuthIDStatus.read(body, of: reference)
        case .oversized: return .nonsense
        case .refused(let refusal) where refusal.status == 404: return .unknownReference
        case .refused(let refusal): throw .refused(refusal, call)
        case .unavailable(let refusal): throw .unavailable(refusal, call)
        }
    }
}
