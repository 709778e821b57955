/// A statement of the stores with the placeholders of PostgreSQL: `$1` for `?1`, and for each `?` the next number.
///
/// Quoted texts, quoted names and comments from `--` to the end of a line are left as they are. The stores have no other
/// comments. A `?` gets the number after the greatest one so far,
/// as in SQLite (https://sqlite.org/lang_expr.html#varparam).
struct PostgresStatementText: Equatable {
    let text: String
    /// The greatest number of a placeholder, which is the number of values.
    let parameterCount: Int

    init(_ sql: String) {
        var scanner = Scanner(Array(sql.utf8))
        scanner.scan()
        text = String(decoding: scanner.output, as: UTF8.self)
        parameterCount = scanner.greatest
    }
}

private struct Scanner {
    private let input: [UInt8]
    private var index = 0
    private(set) var output: [UInt8] = []
    private(set) var greatest = 0

    init(_ input: [UInt8]) {
        self.input = input
        output.reserveCapacity(input.count + 16)
    }

    mutating func scan() {
        while index < input.count {
            switch input[index] {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): copy(through: input[index])
            case UInt8(ascii: "-") where index + 1 < input.count && input[index + 1] == UInt8(ascii: "-"):
                copy(through: UInt8(ascii: "\n"))
            case UInt8(ascii: "?"): placeholder()
            default: copy()
            }
        }
    }

    private mutating func copy() {
        output.append(input[index])
        index += 1
    }

    /// Copies the current character and all up to the next `end`: a doubled quote ends one text and begins another.
    private mutating func copy(through end: UInt8) {
        copy()
        while index < input.count {
            let isEnd = input[index] == end
            copy()
            if isEnd { return }
        }
    }

    private mutating func placeholder() {
        index += 1
        var number = 0
        while index < input.count, case let digit = Int(input[index]) - 48, (0...9).contains(digit), number < 10_000 {
            number = number * 10 + digit
            index += 1
        }
        if number == 0 { number = greatest + 1 }
        greatest = max(greatest, number)
        output.append(UInt8(ascii: "$"))
        output.append(contentsOf: "\(number)".utf8)
    }
}
