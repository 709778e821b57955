package import Operations

/// The administration of logins by face, and of their providers.
package struct FaceLoginAdministration: Sendable {
    let operations: OperationService
    let providers: @Sendable () -> [ProviderView]

    package init(operations: OperationService, providers: @escaping @Sendable () -> [ProviderView]) {
        self.operations = operations
        self.providers = providers
    }
}
