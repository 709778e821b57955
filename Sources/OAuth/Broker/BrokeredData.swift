import CodeFlow
package import Kernel

/// The reason why an app gets no data.
package enum BrokeredDataError: Error, Equatable, Sendable, CaseIterable {
    /// The token is missing or invalid, or its person is not active. The app has to sign in again.
    case signInNeeded
    /// The person may not see the data.
    case notAllowed
    /// The lookup of the person or the data server does not answer.
    case unavailable
    /// The answer of the lookup or of the data server cannot be used.
    case unusable
}

extension BrokerService {
    private static let longestAccessToken = 8192

    /// Returns the data of the access token's person, as the JSON that the data server sent.
    package func data(accessToken: Secret, at upstream: Upstream) async throws(BrokeredDataError) -> [UInt8] {
        guard let resource = upstream.resource else { throw .signInNeeded }
        guard (1...Self.longestAccessToken).contains(accessToken.expose().utf8.count),
            accessToken.expose().utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .signInNeeded }
        let person = try await person(behind: accessToken, by: resource.lookup, at: upstream)
        let answer: UpstreamAnswer
        do throws(ExchangeError) {
            answer = try await gateway.data(of: person, in: resource, at: upstream)
        } catch {
            switch error {
            case .unavailable(let cause):
                warn(upstream, at: "data", cause: cause)
                throw .unavailable
            case .unusable(let cause):
                warn(upstream, at: "data", cause: cause)
                throw .unusable
            }
        }
        return try read(answer, upstream)
    }

    private func person(
        behind accessToken: Secret,
        by lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(BrokeredDataError) -> String {
        do throws(PersonError) {
            return try await people.person(behind: accessToken, by: lookup, at: upstream)
        } catch {
            switch error {
            case .tokenRefused, .inactive: throw .signInNeeded
            case .crowded:
                warn(upstream, at: "lookup", cause: "too many at one time")
                throw .unavailable
            case .unavailable(let cause):
                warn(upstream, at: "lookup", cause: cause)
                throw .unavailable
            case .unusable(let cause):
                warn(upstream, at: "lookup", cause: cause)
                throw .unusable
            }
        }
    }

    private func read(_ answer: UpstreamAnswer, _ upstream: Upstream) throws(BrokeredDataError) -> [UInt8] {
        switch answer.status {
        case 200:
            // A proxy's page with status 200 must not pass as data.
            guard (try? JSONReader.read(answer.body)) != nil else {
                warn(upstream, at: "data", cause: "HTTP 200 with a body that is not JSON")
                throw .unusable
            }
            return answer.body
        case 403: throw .notAllowed
        case 429, 500...599:
            warn(upstream, at: "data", cause: "HTTP \(answer.status)")
            throw .unavailable
        default:
            warn(upstream, at: "data", cause: "HTTP \(answer.status)")
            throw .unusable
        }
    }
}
