package import Logging

extension Operation {
    /// Log metadata that names the operation by its row id; nothing in it is a secret.
    package func logged(_ more: Logger.Metadata = [:]) -> Logger.Metadata {
        more.merging(["operation": "\(id)", "provider": "\(provider)", "seq": "\(seq)"]) { given, _ in given }
    }
}
