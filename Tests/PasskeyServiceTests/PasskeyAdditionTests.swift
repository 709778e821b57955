import Kernel
import Passkeys
import StoreContract
import Testing

/// From when a passkey counts for clients that require one.
struct PasskeyAdditionTests {
    @Test(arguments: [nil, -1, 0, 86_400_000] as [Int64?])
    func `a passkey counts from its addition at the earliest, although its trust was decided before`(
        _ milliseconds: Int64?
    ) throws {
        let sample = try PasskeySample.passkey(1, of: AccountID(UUIDBits(high: 0xA, low: 1)))
        let decided = milliseconds.map { sample.createdAt + .milliseconds($0) }
        let passkey = Passkey(
            id: sample.id,
            account: sample.account,
            rpID: sample.rpID,
            credential: sample.credential,
            createdAt: sample.createdAt,
            countsFrom: decided
        )
        #expect(passkey.countsFrom == sample.createdAt + .milliseconds(max(0, milliseconds ?? 0)))
    }
}
