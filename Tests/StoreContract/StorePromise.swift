import Kernel
package import Testing

/// A store's contract, one case a promise: a test is called what it promises.
package protocol StorePromise: CaseIterable, CustomTestStringConvertible, RawRepresentable<String>, Sendable {}

extension StorePromise {
    package var testDescription: String { rawValue }
}

/// Checks a store in units of work.
protocol CheckingInUnits {
    associatedtype Work: UnitOfWork
    var unitOfWork: Work { get }
}

extension CheckingInUnits {
    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await unitOfWork.run(body)
    }
}

/// The error that ends a unit after it has written.
struct InjectedError: Error, Equatable {}
