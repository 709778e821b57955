import Kernel
import MockServing

/// The parameters of the link to a scan page: `?t=<TransactionId>&s=<secret>` or `?i=<OperationId>&s=<secret>`.
struct PageLink: Sendable {
    let id: UUIDBits
    let kind: ScanKind
    let secret: Secret

    init(_ scan: Scan) {
        id = scan.id
        kind = scan.kind
        secret = scan.secret
    }

    /// Reads a query or the page's own form; `nil` for a link that could never fit.
    init?(_ fields: FormFields) {
        for kind in ScanKind.allCases {
            guard let id = fields[kind.pageParameter].flatMap({ UUIDBits($0) }), let secret = fields["s"] else {
                continue
            }
            self.id = id
            self.kind = kind
            self.secret = Secret(secret)
            return
        }
        return nil
    }

    /// The query with everything percent-encoded that is not unreserved (RFC 3986 §2.3).
    var query: String { "\(kind.pageParameter)=\(id)&s=\(PercentEncoding.component(secret.expose()))" }
}
