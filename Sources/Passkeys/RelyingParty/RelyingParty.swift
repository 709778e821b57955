internal import Crypto
internal import FoundationEssentials

/// The relying party of passkeys (WebAuthn L3 §4), and the origins where they may be used.
package struct RelyingParty: Sendable, Equatable {
    /// The RP ID: a domain name, to which its passkeys stay bound.
    package let id: String
    /// The name that is shown to users.
    package let name: String
    /// SHA-256 of the RP ID.
    package let idHash: [UInt8]
    /// The origins in the domain of the RP ID, and those of apps.
    package let origins: [Origin]
    /// The origins in other domains that `/.well-known/webauthn` allows to use the RP ID (WebAuthn L3 §5.11).
    package let relatedOrigins: [Origin]
    package let frames: FramePolicy

    private let allowedOrigins: Set<[UInt8]>

    package init(
        id: String,
        name: String,
        origins: [Origin],
        relatedOrigins: [Origin] = [],
        frames: FramePolicy = .refused
    ) throws(RelyingPartyError) {
        guard Self.isDomain(id) else { throw .id }
        guard !origins.isEmpty else { throw .noOrigins }
        for origin in origins {
            guard let host = origin.host, host != id, !host.hasSuffix("." + id) else { continue }
            throw .foreignOrigin(origin)
        }
        if let app = relatedOrigins.first(where: { $0.host == nil }) { throw .relatedApp(app) }
        if let plain = relatedOrigins.first(where: { !$0.isSecure }) { throw .relatedInsecure(plain) }
        self.id = id
        self.name = name
        idHash = Array(SHA256.hash(data: Array(id.utf8)))
        self.origins = origins
        self.relatedOrigins = relatedOrigins
        self.frames = frames
        allowedOrigins = Set((origins + relatedOrigins).map { Array($0.text.utf8) })
    }

    /// Whether a ceremony may come from there.
    ///
    /// By its bytes: texts are equal in Swift that are written differently.
    package func allows(origin: String) -> Bool { allowedOrigins.contains(Array(origin.utf8)) }

    /// A domain name in lower case: no address, for an RP ID can't be one (WebAuthn L3 §5.1.2).
    static func isDomain(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, let last = labels.last, !last.utf8.allSatisfy(Self.isDigit) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "-") || isLetter($0) }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}

/// Whether ceremonies may run in frames of other sites (WebAuthn L3 §13.4.9).
package enum FramePolicy: Sendable, Equatable {
    /// Frames are refused: the page around a frame could deceive its users about where they sign in.
    case refused
    /// Frames are allowed within pages of these origins.
    ///
    /// `unnamed`: whether frames are also allowed if the browser doesn't name the page around them. Any site can then
    /// frame the page for visitors with such a browser.
    case allowed(topOrigins: [Origin], unnamed: Bool)
}

/// The reason why a relying party is invalid.
package enum RelyingPartyError: Error, Sendable, Equatable {
    /// The RP ID is not a domain name in lower case.
    case id
    case noOrigins
    /// The origin is not in the RP ID's domain, so it can only be a related origin.
    case foreignOrigin(Origin)
    /// A related origin is an app's, but must be a web origin.
    case relatedApp(Origin)
    /// A related origin uses plain HTTP, but browsers look up related origins only over HTTPS (WebAuthn L3 §5.11).
    case relatedInsecure(Origin)

    /// A stable code for programs.
    package var code: String {
        switch self {
        case .id: "rp_id_malformed"
        case .noOrigins: "origins_missing"
        case .foreignOrigin: "origin_outside_rp_id"
        case .relatedApp: "related_origin_of_app"
        case .relatedInsecure: "related_origin_insecure"
        }
    }
}
