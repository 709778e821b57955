internal import Kernel

/// Reads members of the metadata's JSON, each of which must have its type if it is present.
struct MetadataMembers {
    private let members: [String: JSONValue]

    init(_ value: JSONValue) throws(MetadataError) {
        guard case .object(let members) = value else { throw .payload }
        self.members = members
    }

    subscript(name: String) -> JSONValue? { members[name] }

    /// Returns a string; `nil` if it is missing or null.
    func string(_ name: String) throws(MetadataError) -> String? {
        switch members[name] {
        case .string(let text): return text
        case nil, .null: return nil
        case .bool, .number, .array, .object: throw .payload
        }
    }

    /// Returns an array, which must be present.
    func array(_ name: String) throws(MetadataError) -> [JSONValue] {
        guard case .array(let elements)? = members[name] else { throw .payload }
        return elements
    }

    /// Returns strings, none if the member is missing.
    func strings(_ name: String) throws(MetadataError) -> [String] {
        guard members[name] != nil else { return [] }
        var strings: [String] = []
        for element in try array(name) {
            guard case .string(let text) = element else { throw .payload }
            strings.append(text)
        }
        return strings
    }
}
