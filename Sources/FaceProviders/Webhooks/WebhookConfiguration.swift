package import Kernel

/// How a provider signs its webhooks, and where they say which scan they are about.
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
            /// Hexadecimal, perhaps behind `sha256=`.
            case hex
            case base64
            /// `t=<seconds>,v1=<hexadecimal>`: the time is in the header itself, and more than one `v1` may be.
            case stamped
        }

        package let name: String
        package let form: Form
        /// The header with the sender's time in seconds; with it `<time>.<body>` is signed, without the body alone.
        package let timestampHeader: String?

        package init(name: String, form: Form, timestampHeader: String? = nil) {
            self.name = name
            self.form = form
            self.timestampHeader = timestampHeader
        }
    }

    package var scheme: Scheme
    /// The keys, any of which may have signed: several while they are changed.
    package var keys: [Secret]
    /// How far the sender's time may be from this server's, either way.
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
