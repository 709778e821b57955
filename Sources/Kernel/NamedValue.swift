/// A value under a name that the operator chose.
package struct NamedValue<Value: Sendable & Equatable>: Sendable, Equatable {
    package let name: String
    package let value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}
