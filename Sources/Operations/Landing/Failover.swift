import Kernel
import Logging

/// A provider that can scan the person, and the person's enrolment there.
struct ScanChoice: Sendable {
    let provider: any FaceProvider
    let subject: ScanSubject
}

/// A scan that a provider has begun.
struct BegunScan: Sendable {
    let started: StartedScan
    let provider: ProviderName
    /// The mark of the face that the scan compares with; `nil` for an enrolment.
    let face: String?
}

// The choice of the provider that begins a scan.
extension OperationService {
    /// Returns the providers that the account is enrolled with, the operation's usual provider first.
    ///
    /// It is empty if the account is disabled or not enrolled with the usual provider, since such an account does not
    /// sign in.
    func scanChoices(for operation: Operation, of account: AccountID) async throws -> [ScanChoice] {
        let own = usualProvider(of: operation)
        var choices: [ScanChoice] = []
        // Faces are enrolled only with the operation's own provider.
        for name in operation.request.purpose.kind == .enroll ? [own] : [own] + providers.failover {
            guard let subject = try await scanSubject(of: operation, account, at: name) else {
                if name == own { return [] }
                continue
            }
            guard let provider = providers[name], subject.applicant == nil || provider.enrolsFaces else { continue }
            choices.append(ScanChoice(provider: provider, subject: subject))
        }
        return choices
    }

    /// Returns the provider that the operation began with.
    ///
    /// After a failover, the operation's row names another provider. A new scan still tries the usual provider first.
    func usualProvider(of operation: Operation) -> ProviderName {
        providers.failover.contains(operation.provider) ? providers.login : operation.provider
    }

    /// Begins a scan at the first provider that accepts it.
    ///
    /// The next provider is tried only if the previous one certainly did not start. A start without an answer may have
    /// begun a scan, which costs money and would not be followed.
    func begin(at choices: [ScanChoice], for operation: Operation, returnTo: String?) async throws -> BegunScan {
        var last = ProviderError.heldBack(cause: "no provider is configured for it")
        for choice in choices {
            do throws(ProviderError) {
                guard !providers.paused.isPaused(choice.provider.name) else { throw .paused }
                let request = ScanRequest(
                    enrolment: choice.subject.enrolment,
                    timeLeft: operation.validity.deadline - clock.now,
                    returnTo: choice.provider.returnsToUs ? returnTo : nil,
                    applicant: choice.subject.applicant
                )
                let started = try await choice.provider.begin(request)
                noteReachable(choice.provider.name)
                guard cache.card(reference: started.reference, at: choice.provider.name) == nil else {
                    throw .sameScanTwice
                }
                cache.note(.answered, about: operation.credentials.publicID)
                keep(.started, "the scan began", of: choice.provider.name, about: operation.credentials.publicID)
                return BegunScan(started: started, provider: choice.provider.name, face: choice.subject.mark)
            } catch {
                // The browser disconnected, which says nothing about the provider.
                if Task.isCancelled { throw error }
                note(error, of: choice.provider.name, about: operation)
                last = error
            }
            guard last.isSurelyNotStarted, clock.now < operation.validity.deadline else { break }
        }
        throw last
    }

    private func note(_ failure: ProviderError, of provider: ProviderName, about operation: Operation) {
        let metadata = { (cause: String) in operation.logged(["cause": "\(cause)", "provider": "\(provider)"]) }
        switch failure {
        case .unavailable(let cause), .unreached(let cause):
            noteUnreachable(provider)
            cache.note(.failed, about: operation.credentials.publicID)
            keep(.silent, cause, of: provider, about: operation.credentials.publicID)
            reports.logger.warning("the provider did not start a scan", metadata: metadata(cause))
        case .heldBack(let cause):
            noteHeldBack(provider)
            cache.note(.failed, about: operation.credentials.publicID)
            keep(.heldBack, cause, of: provider, about: operation.credentials.publicID)
            reports.logger.info("a start was held back", metadata: metadata(cause))
        case .refused(let cause):
            // The provider answered, so this is not an outage. Another browser's scan in progress is not affected.
            noteReachable(provider)
            noteRefusal(about: operation)
            keep(.refused, cause, of: provider, about: operation.credentials.publicID)
            reports.logger.error(
                "the provider refused to start a scan: check its keys and its config",
                metadata: metadata(cause)
            )
        }
    }
}

extension OperationService {
    /// Notes that the provider refused to scan, which fails the operation at its deadline unless another start
    /// succeeds.
    func noteRefusal(about operation: Operation) {
        guard case .opened = cache.card(operation.credentials.publicID)?.operation.state else { return }
        cache.note(.refused, about: operation.credentials.publicID)
    }

    /// Claims the scan for its operation, in the unit of work of the transition that begins to follow it.
    ///
    /// If a provider answers two starts with the same scan, one face must not approve both.
    func claim(_ scan: BegunScan, for operation: Operation, in transaction: borrowing Transaction) throws {
        let key = OperationCache.key(of: scan.started.reference, at: operation.provider)
        guard try ports.store.claim(key, for: operation.id, face: scan.face, in: transaction) else {
            throw ProviderError.sameScanTwice
        }
    }
}

extension ProviderError {
    /// The error of a provider at which an operator lets no scan begin.
    fileprivate static let paused = ProviderError.heldBack(cause: "an operator paused it")

    /// The error of a provider that answers two starts with the same scan, which is not an outage.
    fileprivate static let sameScanTwice = ProviderError.refused(
        cause: "its answer names a scan that belongs to a start before"
    )

    /// Whether the request certainly did not reach the provider.
    package var isSurelyNotStarted: Bool {
        switch self {
        case .unreached, .heldBack: true
        case .unavailable, .refused: false
        }
    }
}
