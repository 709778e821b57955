import ArgumentParser
import Foundation
import Wire

/// `bench-seed decoys`: whether the time of a start tells an account that can sign in from others.
struct TimeDecoys: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decoys",
        abstract:
            "Times starts for several e-mail addresses in turn, and compares their distributions with the first's.",
        discussion: """
            Prints a line for each address but the first: the Kolmogorov–Smirnov distance D of each round, the largest of \
            them, and the two medians in microseconds. Two samples of 2,000 from one distribution are nearer than 0.06 in \
            all but one of five hundred rounds.
            """
    )

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "The e-mail addresses with commas between, all of one length. The first can sign in.") var emails:
        String
    @Option(help: "Starts for each address in a round.") var count = 2000
    @Option(help: "Rounds.") var rounds = 3

    func validate() throws {
        guard count > 0, rounds > 0 else { throw ValidationError("--count and --rounds must be above 0.") }
        guard addresses.count > 1, Set(addresses.map(\.utf8.count)).count == 1 else {
            throw ValidationError("--emails takes two addresses or more, all of one length.")
        }
    }

    func run() throws {
        do {
            let rounds = try (0..<rounds).map { try round($0) }
            for place in 1..<addresses.count {
                let distances = rounds.map { Distance.kolmogorovSmirnov($0[0], $0[place]) }
                let medians = [0, place].map { place in Distance.median(rounds.flatMap { $0[place] }) / 1000 }
                let shown = distances.map { $0.formatted(.number.precision(.fractionLength(4))) }.joined(separator: " ")
                print(
                    "\(addresses[place]) D \(shown) largest \(distances.max() ?? 1) medians \(medians[0]) \(medians[1]) us"
                )
            }
        } catch let fault as SeedError {
            FileHandle.standardError.write(Data("bench-seed: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }

    private var addresses: [String] { emails.split(separator: ",").map(String.init) }

    /// The times in nanoseconds, for each address.
    private func round(_ number: Int) throws -> [[UInt64]] {
        let connection = try BlockingConnection(to: server)
        let requests = try addresses.map { email in
            let body = try JSONEncoder().encode(InitiateLoginRequest(email: email))
            return connection.post("/auth/biometric-login/initiate", body)
        }
        // The first requests of a connection and of a process take longer, and are not counted.
        for _ in 0..<50 { for request in requests { _ = try connection.time(request) } }
        var times = [[UInt64]](repeating: [], count: requests.count)
        for turn in 0..<count {
            // Each address comes first, second, … as often as any other.
            for step in requests.indices {
                let place = (turn + step + number) % requests.count
                times[place].append(try connection.time(requests[place]))
            }
        }
        return times
    }
}

/// How far two samples are apart.
enum Distance {
    /// The largest difference between the two empirical distribution functions.
    static func kolmogorovSmirnov(_ one: [UInt64], _ other: [UInt64]) -> Double {
        let (one, other) = (one.sorted(), other.sorted())
        var (first, second, largest) = (0, 0, 0.0)
        while first < one.count, second < other.count {
            let value = min(one[first], other[second])
            while first < one.count, one[first] == value { first += 1 }
            while second < other.count, other[second] == value { second += 1 }
            largest = max(largest, abs(Double(first) / Double(one.count) - Double(second) / Double(other.count)))
        }
        return largest
    }

    static func median(_ sample: [UInt64]) -> UInt64 { sample.sorted()[sample.count / 2] }
}
