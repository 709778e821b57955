import ArgumentParser

/// `authid-mock`: authID's API, its scan page and a control API for testers, on one port.
@main
struct AuthIDMockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authid-mock",
        abstract: "Plays the authID face-scan service for tests and demonstrations.",
        discussion: """
            It speaks authID's HTTP API under /IDCompleteBackendEngine, shows the scan page at /?t=…&s=…, and is \
            controlled under /_mock. Nothing is verified, and nothing is kept when it stops.

            Examples:
              authid-mock                 listen on http://127.0.0.1:8090
              authid-mock --port 0        pick a free port and print it
              authid-mock --seed 7        the same ids and secrets in every run
              authid-mock --no-auto-enroll --scenarios Mocks/scenarios/outage.yaml
              authid-mock play Mocks/scenarios/outage-and-recovery.yaml
                                          play a timeline, and print each step
              authid-mock --script scenario.yaml --timeout 60 -- make e2e
                                          for a CI job: 0 once played to the end

            Control it while it runs, with M=http://127.0.0.1:8090/_mock:
              curl $M/scans
              curl $M/scans/ID/outcome -d '{"outcome":"accept","afterMs":2000}'
              curl $M/faults -X PUT -d '{"target":"status","fault":"flap"}'
              curl $M/requests
            or open http://127.0.0.1:8090/_mock in a browser.

            Webhooks report scans that begin, are opened and end:
              authid-mock --webhook http://localhost:8080/webhooks/mock --webhook-secret S
              curl $M/webhooks -X PUT -d '{"copies":2,"disorderMs":500}'
              curl $M/scans/ID/webhook -d '{"mangle":"forged"}'

            Accounts whose e-mail begins with an outcome or a fault follow it by themselves: accept+2s@example.com, \
            reject_match@example.com, expire@example.com, hang@example.com.
            """,
        subcommands: [Serve.self, Play.self],
        defaultSubcommand: Serve.self
    )
}
