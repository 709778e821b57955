extension DecodingError {
    /// One sentence for a tester: where and what.
    var explanation: String {
        switch self {
        case .keyNotFound(let key, let context):
            Self.sentence("\(key.stringValue) is missing", at: context.codingPath)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            Self.sentence(
                context.underlyingError.map { "\(context.debugDescription) \($0)" } ?? context.debugDescription,
                at: context.codingPath
            )
        @unknown default:
            "The body can't be read."
        }
    }

    private static func sentence(_ text: String, at path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return text }
        let place = path.reduce("") { place, key in
            if let index = key.intValue { return "\(place)[\(index)]" }
            return place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
        }
        return "\(place): \(text)"
    }
}
