package import Kernel
package import Operations

/// The verdict on a provider's status, as the config writes it.
package enum TemplateVerdict: String, Sendable, CaseIterable {
    case approved
    case declined
    case notMatched = "not_matched"
    case livenessFailed = "liveness_failed"
    case tooManyAttempts = "too_many_attempts"
    case expired
    case canceled
    /// The provider reports an error of its own.
    case error
    case userInProvider = "user_in_provider"
    case processing

    package var status: ScanStatus {
        switch self {
        case .approved: .approved
        case .declined: .rejected(.declined)
        case .notMatched: .rejected(.notMatched)
        case .livenessFailed: .rejected(.livenessFailed)
        case .tooManyAttempts: .rejected(.tooManyAttempts)
        case .expired: .expired
        case .canceled: .canceled
        case .error: .broken
        case .userInProvider: .pending(.userInProvider)
        case .processing: .pending(.processing)
        }
    }

    /// Whether the scan is still undecided.
    package var isPending: Bool { self == .userInProvider || self == .processing }
}

/// The provider's status values, and the verdict for each.
package struct VerdictTable: Sendable, Equatable {
    /// The condition of a row on the value at one pointer.
    package enum Match: Sendable, Equatable {
        case word(String)
        /// `~`: the value is missing, or `null`.
        case absent
        /// `*`: any value.
        case anything
    }

    package struct Row: Sendable, Equatable {
        /// The row's text in the config.
        package let text: String
        package let matches: [Match]
        package let verdict: TemplateVerdict

        /// Reads a row's text: one condition for each of `count` pointers, separated by commas.
        ///
        /// A row with another number of conditions fits no answer.
        package init(_ text: String, count: Int, verdict: TemplateVerdict) {
            let words = count == 1 ? [text[...]] : text.split(separator: ",", omittingEmptySubsequences: false)
            self.text = text
            self.verdict = verdict
            matches = words.map { word in
                let trimmed = String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                return switch trimmed {
                case "~": .absent
                case "*": .anything
                default: .word(trimmed)
                }
            }
        }

        /// Whether the row names a word for every pointer, which is required of an approval.
        package var isExact: Bool {
            matches.allSatisfy { if case .word(let word) = $0 { !word.isEmpty } else { false } }
        }
    }

    package let rows: [Row]

    package init(_ rows: [Row]) { self.rows = rows }

    /// Returns the first row that fits the values at the pointers.
    ///
    /// `nil` stands for a missing value or `null`.
    ///
    /// JSON that is not a word, such as a list, fits only `*`.
    package func row(for values: [JSONValue?]) -> Row? {
        rows.first { row in
            row.matches.count == values.count && zip(row.matches, values).allSatisfy { Self.fits($0, $1) }
        }
    }

    private static func fits(_ match: Match, _ value: JSONValue?) -> Bool {
        switch match {
        case .anything: true
        case .absent: value.map(\.isNull) ?? true
        case .word(let word): value?.word == word
        }
    }
}

/// A further condition that an answer must meet before it approves.
package struct VerdictRequirement: Sendable, Equatable {
    package enum Rule: Sendable, Equatable {
        /// The value is a number of at least this size.
        case atLeast(Double)
        /// The value is this word.
        case equals(String)
    }

    package enum Finding: Sendable, Equatable {
        case met
        case notMet
        /// The answer has no value that the rule can be compared with.
        case unknown
    }

    package let name: String
    package var pointer: JSONPointer
    package var rule: Rule
    /// The verdict when the condition is not met.
    package var otherwise: TemplateVerdict

    package init(name: String, pointer: JSONPointer, rule: Rule, otherwise: TemplateVerdict) {
        self.name = name
        self.pointer = pointer
        self.rule = rule
        self.otherwise = otherwise
    }

    package func finding(in document: JSONValue) -> Finding {
        guard let value = pointer.value(in: document) else { return .unknown }
        switch rule {
        case .atLeast(let least):
            guard let number = value.number else { return .unknown }
            return number >= least ? .met : .notMet
        case .equals(let wanted):
            guard let word = value.word else { return .unknown }
            return word == wanted ? .met : .notMet
        }
    }
}
