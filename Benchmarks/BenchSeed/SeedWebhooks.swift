import ArgumentParser
import Foundation

/// `bench-seed webhooks`: signed webhooks for a load run, so that the load itself signs nothing.
struct SeedWebhooks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Writes signed webhooks (Standard Webhooks) about scans, one a line: id, time, signature, body."
    )

    @Option(help: "A file with the ids of the scans, one a line.") var scans: String
    @Option(help: "The secret to sign with: whsec_ and base64.") var secret: String
    @Option(help: "How many webhooks.") var count: Int
    @Option(help: "The file for the webhooks.") var output: String

    func run() throws {
        let scans = try String(contentsOfFile: scans, encoding: .utf8).split(separator: "\n")
        guard let signer = WebhookSigner(secret: secret), !scans.isEmpty, count > 0 else {
            throw ValidationError("--secret is not whsec_ and base64, or --scans is empty, or --count is not above 0.")
        }
        // One time for all: none is older than another about its scan.
        let time = Int(Date.now.timeIntervalSince1970)
        let lines = (0..<count).map { number -> String in
            let webhook = signer.sign("msg_bench_\(number)", about: String(scans[number % scans.count]), at: time)
            return "\(webhook.id)\t\(webhook.time)\t\(webhook.signature)\t\(webhook.body)"
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: output))
    }
}
