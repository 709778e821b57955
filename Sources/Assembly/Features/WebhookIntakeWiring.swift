import FaceProviders
import Kernel
import Logging
import Operations
import Settings

extension WebhookIntake {
    /// Creates the intake, with a verifier for each provider that has webhooks.
    convenience init(_ settings: Settings, service: OperationService, environment: Environment, logger: Logger) {
        let configurations = settings.providers.compactMapValues { $0.webhook?.configuration }
        let verifiers = configurations.map { name, configuration in
            (ProviderName(name), WebhookVerifier(configuration) as any WebhookVerifying)
        }
        let model = configurations.min { $0.key < $1.key }?.value
        self.init(
            service: service,
            environment: environment,
            verifiers: Dictionary(verifiers, uniquingKeysWith: { first, _ in first }),
            decoy: WebhookVerifier.decoy(like: model, key: environment.newSecret()),
            logger: logger
        )
    }
}
