import Foundation
import Testing

extension EndToEnd {
    /// Every fault of the provider against every call, for one client and for many.
    ///
    /// A part of it here; all of it with `VESTIBULE_FAULTS=all`, which is what `make faults` runs.
    @Suite struct FaultMatrix {
        private static let isWhole = ProcessInfo.processInfo.environment["VESTIBULE_FAULTS"] == "all"
        private static let faults = isWhole ? FaultCell.faults : ["http_500", "garbage", "reset", "flap"]
        private static let crowds = isWhole ? [1, 64] : [1]
        private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

        /// The bounds that ship, in the place of the quicker ones of the other tests.
        static let shipped = [
            "providers.mock.guard.circuitPause=5s", "faceLogin.hotCheck=1s", "faceLogin.coldCheck=5s",
            "limits.off=true",
        ]

        private static let settings =
            shipped + ["providers.mock.webhook.secrets=\(secret)", "providers.mock.webhook.reference=/data/id"]

        private static func cadence(_ call: FaultCell.Call) -> [String] {
            call == .webhook ? FaultPlay.cadence : []
        }

        // T-260
        @Test(arguments: FaultCell.Call.allCases)
        func `under every provider fault only approved people sign in, and all of them do`(
            _ call: FaultCell.Call
        ) async throws {
            let people = (0..<(Self.crowds.max() ?? 1)).map(FaultPlay.person)
            try await Fixture.run(
                Self.settings + Self.cadence(call),
                people: people,
                within: .seconds(Self.isWhole ? 2400 : 560)
            ) { fixture in
                if call == .webhook {
                    try await fixture.mock.sendWebhooks(to: fixture.daemon.url + "/webhooks/mock", secret: Self.secret)
                }
                for fault in Self.faults {
                    for clients in Self.crowds {
                        let cell = FaultCell(fault: fault, call: call, clients: clients)
                        let result = try await FaultPlay(cell: cell, fixture: fixture).run()
                        print(result.row)
                        #expect(result.falseSuccesses == 0 && result.falseFailures == 0, "\(result.row)")
                        #expect(result.areWebhooksRight, "\(result.row)")
                    }
                }
            }
        }
    }
}
