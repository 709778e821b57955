/// The trace of faulty key generation in an RSA modulus (ROCA, CVE-2017-15361).
///
/// A library of smart cards and TPMs made its primes as `k·M + (65537^a mod M)`, with `M` the product of the first
/// primes. The private key of such a modulus can be computed, so that a signature under it proves nothing. Source:
/// Nemec et al., "The Return of Coppersmith's Attack", CCS 2017, §2.
package enum ROCAFingerprint {
    /// Returns whether the modulus is a power of 65537 modulo each of the first primes, as every modulus of that
    /// library is.
    ///
    /// One in 240 million sound keys has the same trace by chance.
    ///
    /// - Parameter modulus: The modulus, big-endian.
    /// - Returns: Whether the trace is there.
    package static func isPresent(in modulus: some Sequence<UInt8>) -> Bool {
        var remainders = Array(repeating: UInt64(0), count: groups.count)
        for byte in modulus {
            for index in groups.indices {
                remainders[index] = (remainders[index] << 8 | UInt64(byte)) % groups[index].product
            }
        }
        return zip(groups, remainders).allSatisfy { group, remainder in
            group.primes.allSatisfy { $0.powers.contains(remainder % $0.prime) }
        }
    }

    private struct Prime {
        let prime: UInt64
        /// The powers of 65537 modulo the prime.
        let powers: Set<UInt64>
    }

    /// Primes that share one division.
    private struct Group {
        let primes: [Prime]
        let product: UInt64
    }

    /// The primes below 168 for which the powers of 65537 leave some remainder out: the other primes carry no
    /// information.
    private static let primes: [Prime] = stride(from: UInt64(3), to: 168, by: 2).filter { number in
        !stride(from: 3, to: number, by: 2).contains { number % $0 == 0 }
    }.compactMap { prime in
        var powers: Set<UInt64> = []
        var power: UInt64 = 1
        while powers.insert(power).inserted { power = power * 65537 % prime }
        return powers.count < prime - 1 ? Prime(prime: prime, powers: powers) : nil
    }

    /// The primes in groups whose product is below 2⁴⁸, so that a remainder and one more byte fit 64 bits.
    private static let groups: [Group] = primes.reduce(into: []) { groups, prime in
        if let last = groups.last, last.product < (1 << 48) / prime.prime {
            groups[groups.count - 1] = Group(primes: last.primes + [prime], product: last.product * prime.prime)
        } else {
            groups.append(Group(primes: [prime], product: prime.prime))
        }
    }
}
