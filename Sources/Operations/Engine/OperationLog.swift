package import Logging

extension Operation {
    /// Log metadata that names the operation by its row id and says what it is for; nothing in it is a secret.
    package func logged(_ more: Logger.Metadata = [:]) -> Logger.Metadata {
        let own: Logger.Metadata = [
            "operation": "\(id)", "purpose": "\(request.purpose.kind.rawValue)", "provider": "\(provider)",
            "seq": "\(seq)",
        ]
        return more.merging(own) { given, _ in given }
    }
}
