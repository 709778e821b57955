package import Logging

extension Operation {
    /// Returns log metadata with the operation's row id and purpose, none of which is secret.
    package func logged(_ more: Logger.Metadata = [:]) -> Logger.Metadata {
        let own: Logger.Metadata = [
            "operation": "\(id)", "purpose": "\(request.purpose.kind.rawValue)", "provider": "\(provider)",
            "seq": "\(seq)",
        ]
        return more.merging(own) { given, _ in given }
    }
}
