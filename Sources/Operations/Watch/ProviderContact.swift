/// The result of the last contact with the provider about an operation.
package enum ProviderContact: Sendable, Equatable, CaseIterable {
    /// The provider answered, or was not called yet.
    case answered
    /// The provider gave no usable answer.
    case failed
    /// The provider answered that it will not scan this person.
    case refused
}
