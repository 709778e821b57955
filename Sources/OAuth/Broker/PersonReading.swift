import Kernel

/// The reason why the person of an access token is not known.
enum PersonError: Error, Equatable, Sendable {
    /// The upstream does not accept the token, or has stopped accepting it.
    case tokenRefused
    /// The token is valid, but its person is not active.
    case inactive
    /// Too many lookups run at one time.
    case crowded
    case unavailable(cause: String)
    case unusable(cause: String)
}

extension UserInfoCache {
    private static let longestID = 256

    /// Returns the person's id from an answer of the lookup.
    static func read(_ answer: UpstreamAnswer, _ lookup: PersonLookup) -> Result<String, PersonError> {
        switch answer.status {
        case 200: person(answer.body, lookup)
        // RFC 6750 §3.1: the status for a malformed token is 400.
        case 400, 401: .failure(.tokenRefused)
        case 403, 404: .failure(.inactive)
        case 429, 500...599: .failure(.unavailable(cause: "HTTP \(answer.status)"))
        default: .failure(.unusable(cause: "HTTP \(answer.status)"))
        }
    }

    /// Returns the person's id from the body of an answer.
    ///
    /// A missing value counts as an unusable answer, not as a refused token. Otherwise a change of the upstream's
    /// format would sign everybody out.
    private static func person(_ body: [UInt8], _ lookup: PersonLookup) -> Result<String, PersonError> {
        do throws(UnreadableAnswerError) {
            if let audience = lookup.audience {
                guard let client = try audience.path.value(in: body) else { return .failure(.missing("audience")) }
                guard Array(client.utf8) == Array(audience.client.utf8) else { return .failure(.tokenRefused) }
            }
            if let status = lookup.status {
                guard let word = try status.value(in: body) else { return .failure(.missing("status")) }
                guard lookup.activeWords.contains(word) else { return .failure(.inactive) }
            }
            guard let person = try lookup.person.value(in: body) else { return .failure(.missing("person")) }
            guard !person.isEmpty else { return .failure(.inactive) }
            guard isID(person) else { return .failure(.unusable(cause: "the id of the person is none")) }
            return .success(person)
        } catch {
            return .failure(.unusable(cause: "the answer can't be read"))
        }
    }

    /// Whether an id can be part of an address.
    ///
    /// Dots alone would be a path segment, even if escaped (RFC 3986 §6.2.2.2).
    private static func isID(_ text: String) -> Bool {
        (1...longestID).contains(text.utf8.count) && !text.allSatisfy { $0 == "." }
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }
}

extension PersonError {
    fileprivate static func missing(_ what: String) -> PersonError {
        .unusable(cause: "the answer has no one value where the \(what) should be")
    }
}
