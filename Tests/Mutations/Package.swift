// swift-tools-version: 6.2
import PackageDescription

// The engine and the modules it leans on, with what tests them: what scripts/mutate.sh builds for each deliberate
// fault, in seconds instead of minutes. The targets are those of the manifest at the top of the tree, as far as they
// are here. A fault may leave a variable unused, so warnings are no errors.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let swiftASN1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")

func module(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "mutants",
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: [
        module("Kernel", [crypto]),
        module("Operations", ["Kernel", crypto, logging, metrics, heap]),
        module("Accounts", ["Kernel", crypto, cryptoExtras]),
        module("Devices", ["Kernel", crypto, cryptoExtras]),
        module("Sessions", ["Kernel"]),
        module("Passkeys", ["Kernel", crypto, cryptoExtras, x509, swiftASN1]),
        module("Audit", ["Kernel", crypto, logging]),
        module("TokenReading", ["Kernel", crypto, cryptoExtras]),
        module("CodeFlow", ["Kernel"]),
        module("OAuth", ["Kernel", "CodeFlow", "TokenReading", crypto, cryptoExtras, logging]),
        module("Mail", ["Kernel", logging]),
        module("Wallet", ["Kernel", "CodeFlow", logging]),
        module(
            "StoreContract",
            ["Kernel", "Operations", "Accounts", "Devices", "Passkeys", "Sessions", "Mail", "OAuth", "Wallet", crypto],
            path: "Tests/StoreContract"
        ),
        module(
            "MemoryStore",
            ["Kernel", "Operations", "Accounts", "Passkeys", "Sessions", "Mail", "OAuth", "Wallet", logging],
            path: "Tests/MemoryStore"
        ),
        module("Fuzzing", [], path: "Tests/Fuzzing"),
        module("SoftwareAuthenticator", ["Kernel", crypto], path: "Mocks/SoftwareAuthenticator"),
        tests("KernelTests", ["Kernel", crypto]),
        tests("OperationsTests", ["Kernel", "Operations", "MemoryStore", "StoreContract", logging]),
        tests("Simulation", ["Kernel", "Operations", "MemoryStore", "Fuzzing", logging]),
        tests(
            "OAuthTests",
            [
                "Kernel", "CodeFlow", "TokenReading", "OAuth", "MemoryStore", "StoreContract", "Fuzzing", crypto,
                cryptoExtras, logging,
            ]
        ),
        tests("AuditTests", ["Kernel", "Audit", crypto, logging]),
        tests("DevicesTests", ["Kernel", "Devices", "MemoryStore", "StoreContract", crypto, cryptoExtras]),
        tests("SessionsTests", ["Kernel", "Sessions", "MemoryStore", "StoreContract", "Fuzzing"]),
        tests(
            "PasskeysTests",
            ["Kernel", "Passkeys", "Fuzzing", crypto, cryptoExtras, x509, swiftASN1],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "PasskeyServiceTests",
            ["Kernel", "Passkeys", "MemoryStore", "StoreContract", "SoftwareAuthenticator", crypto]
        ),
    ]
)
