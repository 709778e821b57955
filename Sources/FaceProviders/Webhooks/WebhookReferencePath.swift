package import Kernel

/// The position of the scan's id in a webhook's body: a JSON pointer (RFC 6901).
package struct WebhookReferencePath: Sendable, Equatable {
    package let pointer: JSONPointer

    /// The whole document.
    package static let root = WebhookReferencePath(.root)

    package init(_ pointer: JSONPointer) { self.pointer = pointer }

    /// Returns the text or whole number at this position, if it could be an id: 1 to 256 bytes.
    package func text(in json: [UInt8]) -> String? {
        guard let document = try? JSONReader.read(json) else { return nil }
        return pointer.value(in: document)?.identifier
    }
}
