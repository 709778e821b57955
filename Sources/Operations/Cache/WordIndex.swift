/// An index of operations by a word of something that leads to them, such as a ticket.
///
/// Keys and values are the first words of random ids and of digests: 16 bytes a place, and not 64 as with whole digests.
/// Readers compare the whole of what they look for, so that two keys with the same word do no harm.
struct WordIndex {
    private var one: [UInt64: UInt64] = [:]
    /// Values that were added while their key already had one, each with how often.
    private var further: [UInt64: [UInt64: Int]] = [:]

    /// The number of additions that were not removed.
    var count: Int { one.count + further.values.reduce(0) { $0 + $1.values.reduce(0, +) } }

    /// Returns the values of a key, each once, in no particular order.
    func values(of key: UInt64) -> [UInt64] {
        let first = one[key]
        let others = further.isEmpty ? nil : further[key]?.keys.filter { $0 != first }
        return (first.map { [$0] } ?? []) + (others ?? [])
    }

    /// Adds a value, which stays until it is removed as often as it was added.
    ///
    /// Several operations may have the same words.
    mutating func add(_ value: UInt64, to key: UInt64) {
        if one[key] == nil { one[key] = value } else { further[key, default: [:]][value, default: 0] += 1 }
    }

    mutating func remove(_ value: UInt64, from key: UInt64) {
        if let times = further[key]?[value] {
            further[key]?[value] = times > 1 ? times - 1 : nil
            if further[key]?.isEmpty == true { further[key] = nil }
        } else if one[key] == value {
            one[key] = nil
        }
    }
}
