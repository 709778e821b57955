package import Operations

/// The administration of face logins and their providers.
package struct FaceLoginAdministration: Sendable {
    let operations: OperationService
    let providers: @Sendable () -> [ProviderView]

    package init(operations: OperationService, providers: @escaping @Sendable () -> [ProviderView]) {
        self.operations = operations
        self.providers = providers
    }
}
