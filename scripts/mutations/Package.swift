// swift-tools-version: 6.2
import PackageDescription

// The engine and the rooms it leans on, with what tests them: what scripts/mutate.sh builds for each deliberate fault, in
// seconds instead of minutes. The targets are those of the manifest at the top of the tree, as far as they are here; a
// fault may leave a variable unused, so warnings are no errors.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")

func room(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "mutants",
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: [
        room("Kernel", []),
        room("Operations", ["Kernel", crypto, logging, metrics, heap]),
        room("Devices", ["Kernel", crypto]),
        room("Sessions", ["Kernel"]),
        room("Audit", ["Kernel", crypto, logging]),
        room("Mail", ["Kernel", logging]),
        room("StoreContract", ["Kernel", "Operations", "Devices", "Sessions", "Mail"], path: "Tests/StoreContract"),
        room("MemoryStore", ["Kernel", "Operations", "Sessions", "Mail"], path: "Tests/MemoryStore"),
        tests("KernelTests", ["Kernel"]),
        tests("OperationsTests", ["Kernel", "Operations", "MemoryStore", "StoreContract", logging]),
        tests("Simulation", ["Kernel", "Operations", "MemoryStore", logging]),
        tests("AuditTests", ["Kernel", "Audit", crypto, logging]),
        tests("DevicesTests", ["Kernel", "Devices", crypto]),
        tests("SessionsTests", ["Kernel", "Sessions", "MemoryStore", "StoreContract"]),
    ]
)
