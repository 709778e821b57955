/// How the last contact with the provider about an operation went.
package enum ProviderContact: Sendable, Equatable, CaseIterable {
    /// It answered, or was not asked yet.
    case answered
    /// There was no usable answer.
    case failed
    /// It answered that it will not scan this person.
    case refused
}
