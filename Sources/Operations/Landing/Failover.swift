import Kernel
import Logging

/// A provider that could scan a person, and the person's face there.
struct ScanChoice: Sendable {
    let provider: any FaceProvider
    let subject: ScanSubject
}

/// A scan that a provider has begun.
struct BegunScan: Sendable {
    let started: StartedScan
    let provider: ProviderName
    /// The mark of the face that it is matched with; `nil` for an enrolment.
    let face: String?
}

// The choice of the provider that begins a scan.
extension OperationService {
    /// Returns the providers that the account is enrolled with, the login's own first.
    ///
    /// It is empty for an account without an enrolment there and for a disabled one: such an account does not sign in.
    func scanChoices(for operation: Operation, of account: AccountID) async throws -> [ScanChoice] {
        let own = usualProvider(of: operation)
        var choices: [ScanChoice] = []
        // A face is enrolled where logins are, and nowhere else.
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

    /// The provider that the operation began with.
    ///
    /// After a scan began elsewhere its row names that provider; a new scan still tries the usual one first.
    func usualProvider(of operation: Operation) -> ProviderName {
        providers.failover.contains(operation.provider) ? providers.login : operation.provider
    }

    /// Begins a scan at the first provider that lets it begin.
    ///
    /// Another provider is asked only if the previous one surely did not start. A start without an answer may be a
    /// scan, which is paid for and would not be followed.
    func begin(at choices: [ScanChoice], for operation: Operation, returnTo: String?) async throws -> BegunScan {
        var last = ProviderError.heldBack(cause: "no provider is configured for it")
        for choice in choices {
            do throws(ProviderError) {
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
            // The provider answered, so this is not an outage. A scan in progress for another browser is not affected.
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
    /// Notes that the provider will not scan: the login fails by that, unless another start succeeds.
    func noteRefusal(about operation: Operation) {
        guard case .opened = cache.card(operation.credentials.publicID)?.operation.state else { return }
        cache.note(.refused, about: operation.credentials.publicID)
    }

    /// Claims the scan for its operation, in the unit of work that begins to follow it.
    ///
    /// A provider that answers two starts with one scan would have one face approve both.
    func claim(_ scan: BegunScan, for operation: Operation, in transaction: borrowing Transaction) throws {
        let key = OperationCache.key(of: scan.started.reference, at: operation.provider)
        guard try ports.store.claim(key, for: operation.id, face: scan.face, in: transaction) else {
            throw ProviderError.sameScanTwice
        }
    }
}

extension ProviderError {
    /// The error of a provider that answers two starts with one scan; not an outage.
    fileprivate static let sameScanTwice = ProviderError.refused(
        cause: "its answer names a scan that belongs to a start before"
    )

    /// Whether no request can have reached the provider.
    package var isSurelyNotStarted: Bool {
        switch self {
        case .unreached, .heldBack: true
        case .unavailable, .refused: false
        }
    }
}
