import Foundation

/// The answer of a mock.
package struct MockAnswer: Sendable {
    package let status: Int
    package let text: String
    /// Where the browser is sent to; empty where it is not.
    package let location: String

    /// A text of a JSON object.
    package func value(_ name: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return object?[name] as? String
    }

    /// A parameter of the address that the browser is sent to.
    package func parameter(_ name: String) -> String? {
        URLComponents(string: location)?.queryItems?.first { $0.name == name }?.value
    }
}
