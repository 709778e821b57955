import Kernel
package import Operations
import Outbound

/// Shows the requests to authID, and the verdicts on its answers, without calling it.
package struct AuthIDProbe: Sendable {
    private let calls: AuthIDCalls

    package init(_ configuration: AuthIDConfiguration) { calls = AuthIDCalls(configuration) }

    /// Returns every request of a login, for the given account and transaction.
    package func printedRequests(
        account: String,
        reference: String,
        timeLeft: Duration
    ) throws(ProviderError) -> [PrintedRequest] {
        let begin = AuthIDCall.beginTransaction(account: account, seconds: max(1, timeLeft.components.seconds))
        let steps: [(String, AuthIDCall)] = [
            ("token", .token), ("begin", begin), ("check", .transactionStatus(ProviderReference(reference))),
        ]
        var printed: [PrintedRequest] = []
        for (name, call) in steps {
            var request = try calls.request(for: call, access: name == "token" ? nil : Secret("<token>"))
            if name == "token" {
                request.headers = request.headers.map {
                    $0.name == "Authorization" ? OutboundHeader($0.name, "Basic <secret>") : $0
                }
            }
            if let one = PrintedRequest(name, request) { printed.append(one) }
        }
        return printed
    }

    /// Returns the verdict on each status, and on answers that must approve no login.
    package func samples() -> [SampleVerdict] {
        [
            sample("status 0", #""Status":0"#, expecting: .pending(.userInProvider)),
            sample("status 1", #""Status":1"#, expecting: .approved),
            sample(
                "status 2, liveness",
                #""Status":2,"Message":"Liveness detection failed.""#,
                expecting: .rejected(.livenessFailed)
            ),
            sample(
                "status 2, biometry",
                #""Status":2,"Message":"Biometry verification failed.""#,
                expecting: .rejected(.notMatched)
            ),
            sample("status 2", #""Status":2"#, expecting: .rejected(.declined)),
            sample("status 3", #""Status":3"#, expecting: .expired),
            sample("status 4", #""Status":4"#, expecting: .broken),
            sample("status 5", #""Status":5"#, expecting: .canceled),
            sample("status 1, of another transaction", #""Status":1"#, expecting: .nonsense, of: "another-scan"),
            sample("a status without a row", #""Status":99"#, expecting: .unrecognised),
        ]
    }

    private func sample(
        _ text: String,
        _ members: String,
        expecting expected: ScanStatus,
        of transaction: String = "our-scan"
    ) -> SampleVerdict {
        let body = #"{"TransactionId":"\#(transaction)",\#(members)}"#
        let status = AuthIDStatus.read(Array(body.utf8), of: ProviderReference("our-scan"))
        return SampleVerdict(
            sample: text,
            status: status,
            reason: "as in authID's documentation",
            isAsWritten: status == expected
        )
    }
}
