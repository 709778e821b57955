import Kernel

extension AuthorizationParameters {
    /// The parameters as one string, for the database.
    package var text: String {
        let named = values.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        let repeated = resources.map { [Self.resource, $0] }
        return (named + repeated).joined().map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    /// Creates the parameters from the string that ``text`` returned.
    package init(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
            String(decoding: Base64URL.decode(part) ?? [], as: UTF8.self)
        }
        var (values, resources) = ([String: String](), [String]())
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            if parts[index] == Self.resource {
                resources.append(parts[index + 1])
            } else {
                values[parts[index]] = parts[index + 1]
            }
        }
        self.init(values: values, resources: resources)
    }

    private static let resource = "resource"
}
