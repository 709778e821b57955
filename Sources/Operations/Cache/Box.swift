/// A value on the heap, for a property that most objects lack: one pointer in them, however large the value is.
final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
