package import Kernel

/// How a provider signs its webhooks, and where their bodies name the scan.
package struct WebhookConfiguration: Sendable, Equatable {
    package enum Scheme: Sendable, Equatable {
        /// Standard Webhooks 1.0.0: `webhook-id`, `webhook-timestamp`, `webhook-signature`.
        case standard
        /// HMAC-SHA256 in a header.
        case hmac(HMACHeader)
    }

    /// The header of an HMAC-SHA256, and the text that it signs.
    package struct HMACHeader: Sendable, Equatable {
        package enum Form: Sendable, Equatable {
            /// Hexadecimal, optionally after `sha256=`.
            case hex
            case base64
            /// `t=<seconds>,v1=<hexadecimal>`: the header itself contains the time, and may contain several `v1`.
            case stamped
        }

        package let name: String
        package let form: Form
        /// The header with the sender's time in seconds: with it `<time>.<body>` is signed, without it only the body.
        package let timestampHeader: String?

        package init(name: String, form: Form, timestampHeader: String? = nil) {
            self.name = name
            self.form = form
            self.timestampHeader = timestampHeader
        }
    }

    package var scheme: Scheme
    /// The keys of the sender, any of which may have signed: there are several during a key change.
    package var keys: [Secret]
    /// The greatest difference between the sender's time and this server's, in either direction.
    package var tolerance: Duration
    /// The position of the scan's id in the body.
    package var reference: WebhookReferencePath

    package init(scheme: Scheme, keys: [Secret], tolerance: Duration, reference: WebhookReferencePath) {
        self.scheme = scheme
        self.keys = keys
        self.tolerance = tolerance
        self.reference = reference
    }
}
