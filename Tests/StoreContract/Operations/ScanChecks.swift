import Kernel
import Operations
import Testing

extension StoreUnderTest {
    func checkClaims() async throws {
        let (first, second) = (Digest256(sha256: "scan-1"), Digest256(sha256: "scan-2"))
        let one = operation(1, state: .failed(.expired, at: OperationSample.start), seq: 2)
        let other = operation(2)
        try await insert([one, other])
        #expect(try await claim(first, for: one, face: "the first"))
        #expect(try await !claim(first, for: other, face: "the second"), "it is another's")
        #expect(try await !claim(first, for: one), "it was had before")
        #expect(try await claim(second, for: one), "an operation may have many")
        #expect(try await claimant(of: first) == one.id)
        #expect(try await claimant(of: second) == one.id)
        #expect(try await claimant(of: Digest256(sha256: "scan-3")) == nil)
        #expect(try await face(of: first) == "the first")
        #expect(try await face(of: second) == nil)
        let store = store
        await #expect(throws: RolledBackError.self) {
            try await unitOfWork.run { transaction -> Void in
                _ = try store.claim(Digest256(sha256: "scan-3"), for: other.id, face: nil, in: transaction)
                throw RolledBackError()
            }
        }
        #expect(try await claim(Digest256(sha256: "scan-3"), for: one), "what was undone was not had")
        let later = OperationSample.start + .seconds(1)
        let gone = try await unitOfWork.run { [purging] in try purging(later, 10, $0) }
        #expect(gone == 1)
        #expect(try await face(of: first) == nil)
        #expect(try await claim(first, for: other), "it is forgotten with its operation")
    }

    private func claim(_ scan: Digest256, for operation: Operation, face: String? = nil) async throws -> Bool {
        let (store, id) = (store, operation.id)
        return try await unitOfWork.run { transaction in
            try store.claim(scan, for: id, face: face, in: transaction)
        }
    }

    private func face(of scan: Digest256) async throws -> String? {
        let store = store
        return try await unitOfWork.run { transaction in try store.face(of: scan, in: transaction) }
    }

    private func claimant(of scan: Digest256) async throws -> OperationRowID? {
        let store = store
        return try await unitOfWork.run { transaction in try store.claimant(of: scan, in: transaction) }
    }

    private struct RolledBackError: Error {}
}
