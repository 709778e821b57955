// swift-tools-version: 6.2
import PackageDescription

// The modules: ARCHITECTURE.md. The allowed imports: scripts/architecture-allow.txt. A dependency that is not declared
// here cannot be imported (`--explicit-target-dependency-import-check error`, and scripts/check-architecture.sh).

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let swiftASN1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")

func module(
    _ name: String,
    _ dependencies: [Target.Dependency],
    path: String? = nil,
    exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "vestibule",
    // The platforms of the client SDK. The daemon is built for Linux.
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "VestibuleClient", targets: ["VestibuleClient"]),
        .library(name: "VestibuleTokens", targets: ["VestibuleTokens"]),
        .library(name: "VestibuleTokensHummingbird", targets: ["VestibuleTokensHummingbird"]),
        .executable(name: "vestibule", targets: ["Vestibule"]),
        .executable(name: "authid-mock", targets: ["AuthIDMockServer"]),
        .executable(name: "upstream-mock", targets: ["UpstreamMockServer"]),
        .executable(name: "bank-mock", targets: ["BankMockServer"]),
        .executable(name: "sample-backend", targets: ["SampleBackend"]),
        .executable(name: "bench-bare", targets: ["BenchBare"]),
        .executable(name: "bench-seed", targets: ["BenchSeed"]),
        .executable(name: "bench-passkeys", targets: ["BenchPasskeys"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // The core
        module("Kernel", [crypto]),
        module("Wire", []),

        // Capabilities
        module(
            "Operations",
            ["Kernel", crypto, logging, metrics, .product(name: "HeapModule", package: "swift-collections")]
        ),
        module("Accounts", ["Kernel", crypto, cryptoExtras]),
        module("Devices", ["Kernel", crypto, cryptoExtras]),
        module("Sessions", ["Kernel"]),
        module("Mail", ["Kernel", logging]),
        module("CodeFlow", ["Kernel"]),
        module("Wallet", ["Kernel", "CodeFlow", crypto, logging]),
        module("TokenReading", ["Kernel", crypto, cryptoExtras]),
        module("Tokens", ["Kernel", "TokenReading", crypto, cryptoExtras]),
        module("Passkeys", ["Kernel", crypto, cryptoExtras, x509, swiftASN1]),
        module("Audit", ["Kernel", crypto, logging]),
        module("OAuth", ["Kernel", "CodeFlow", "TokenReading", crypto, cryptoExtras, logging]),

        // Use cases that need several capabilities
        module(
            "SignIn",
            ["Kernel", "Operations", "Accounts", "Devices", "Passkeys", "Sessions", "OAuth", "TokenReading", "Tokens"]
        ),
        module(
            "Admin",
            [
                "Kernel", "Operations", "Accounts", "Devices", "Passkeys", "Sessions", "Mail", "TokenReading", "Tokens",
                "Audit", "OAuth", "SignIn", arguments,
            ]
        ),

        // Adapters
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        module(
            "Outbound",
            [
                "Kernel", "Accounts", "Mail", "Web", "CCurl", nioCore, nioPosix, nioSSL,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        module("FaceProviders", ["Kernel", "Operations", "Outbound", crypto, logging, metrics]),
        module("Upstreams", ["Kernel", "CodeFlow", "OAuth", "Outbound", "Wallet"]),
        module("Telemetry", [metrics]),
        .systemLibrary(name: "CPq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        module(
            "Storage",
            [
                "Kernel", "Operations", "Accounts", "Devices", "Passkeys", "Sessions", "Mail", "Wallet", "Audit",
                "OAuth", "SignIn", "CPq", "CSQLite", crypto, metrics,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        // In C, for the compiler puts the files' bytes where they belong.
        .target(name: "COpenAPI"),
        .target(name: "CWeb"),
        module(
            "Web",
            ["CWeb", "Kernel", .product(name: "Mustache", package: "swift-mustache")],
            exclude: ["texts", "pages", "scripts", "styles", "images"]
        ),
        module(
            "HTTPAPI",
            [
                "COpenAPI", "Kernel", "CodeFlow", "Wire", "Operations", "Accounts", "Devices", "Passkeys", "Sessions",
                "TokenReading",
                "Tokens", "Wallet", "OAuth", "SignIn", "Admin", crypto, logging, metrics, hummingbird, httpTypes,
                nioCore,
                nioHTTPTypes, "Web", .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        module(
            "Settings",
            [
                "Kernel", "CodeFlow", "Operations", "Passkeys", "Sessions", "TokenReading", "Tokens", "Wallet", "OAuth",
                "FaceProviders", "Outbound", "Storage", "HTTPAPI", "Web", yams, logging, nioSSL,
            ]
        ),
        module("Console", ["Kernel", "Admin", "Web", arguments, hummingbird, httpTypes, logging, nioCore]),
        module("VestibuleClient", ["Wire", crypto]),
        module("VestibuleTokens", ["Kernel", "TokenReading", "VestibuleClient"]),
        module("VestibuleTokensHummingbird", ["VestibuleTokens", hummingbird, httpTypes, logging, nioCore]),
        module(
            "Assembly",
            [
                "Kernel", "Operations", "Accounts", "Devices", "Passkeys", "Sessions", "Mail", "TokenReading", "Tokens",
                "Wallet", "Audit", "OAuth", "SignIn", "Admin", "FaceProviders", "Upstreams", "Outbound", "Storage",
                "HTTPAPI", "Settings", "Telemetry", "Web", logging,
            ]
        ),
        program(
            "Vestibule",
            [
                "Kernel", "Operations", "Accounts", "Passkeys", "Sessions", "Mail", "Tokens", "Audit", "OAuth",
                "SignIn",
                "Admin", "FaceProviders", "Outbound", "Storage", "HTTPAPI", "Settings", "Telemetry", "Assembly",
                "VestibuleClient", "Console",
                arguments, logging, hummingbird,
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                nioSSL, nioCore,
            ]
        ),

        // Mocks, load and the example
        module(
            "AuthIDMock",
            [
                "MockServing", "Kernel", logging, hummingbird, httpTypes, nioCore, yams, crypto,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Mocks/AuthIDMock"
        ),
        module("MockServing", ["Kernel", logging, hummingbird, httpTypes, nioCore, crypto], path: "Mocks/MockServing"),
        module("MockPrograms", ["MockServing", "Kernel", arguments, logging, nioCore], path: "Mocks/MockPrograms"),
        module(
            "UpstreamMock",
            ["MockServing", "Kernel", logging, hummingbird, httpTypes],
            path: "Mocks/UpstreamMock"
        ),
        program(
            "UpstreamMockServer",
            ["UpstreamMock", "MockServing", "MockPrograms", arguments, hummingbird],
            path: "Mocks/UpstreamMockServer"
        ),
        module(
            "BankMock",
            ["MockServing", "Kernel", logging, hummingbird, httpTypes],
            path: "Mocks/BankMock"
        ),
        program(
            "BankMockServer",
            ["BankMock", "MockServing", "MockPrograms", arguments, hummingbird],
            path: "Mocks/BankMockServer"
        ),
        module("SoftwareAuthenticator", ["Kernel", crypto, cryptoExtras], path: "Mocks/SoftwareAuthenticator"),
        program(
            "AuthIDMockServer",
            ["AuthIDMock", "MockServing", "MockPrograms", "Kernel", arguments],
            path: "Mocks/AuthIDMockServer"
        ),
        program(
            "SampleBackend",
            ["VestibuleTokens", "VestibuleTokensHummingbird", arguments, hummingbird, httpTypes],
            path: "Examples/SampleBackend"
        ),
        program("BenchBare", [hummingbird, logging, nioCore, arguments], path: "Benchmarks/BenchBare"),
        program(
            "BenchSeed",
            [
                "Wire", "SoftwareAuthenticator", arguments, crypto, cryptoExtras, nioCore, nioPosix,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Benchmarks/BenchSeed"
        ),
        program(
            "BenchPasskeys",
            ["Kernel", "Passkeys", "SoftwareAuthenticator", arguments, crypto, cryptoExtras, x509, swiftASN1],
            path: "Benchmarks/BenchPasskeys"
        ),

        // Tests
        module(
            "StoreContract",
            [
                "Kernel", "Operations", "Accounts", "Devices", "Passkeys", "Sessions", "Mail", "Wallet", "Audit",
                "OAuth",
                "SignIn", crypto,
            ],
            path: "Tests/StoreContract"
        ),
        module(
            "MemoryStore",
            [
                "Kernel", "Operations", "Accounts", "Devices", "Passkeys", "Sessions", "Mail", "Wallet", "Audit",
                "OAuth",
                "SignIn", logging,
            ],
            path: "Tests/MemoryStore"
        ),
        module("Fuzzing", [], path: "Tests/Fuzzing"),
        module("ReferencePages", [], path: "Tests/ReferencePages"),
        module("TokenForgeries", ["Kernel", crypto], path: "Tests/TokenForgeries"),
        tests("KernelTests", ["Kernel", crypto]),
        tests("WebTests", ["Web", .product(name: "Mustache", package: "swift-mustache")]),
        tests(
            "ConsoleTests",
            ["Kernel", "Admin", "Console", "Web", "MemoryStore", hummingbird, httpTypes, logging, nioCore]
        ),
        tests(
            "TokensTests",
            [
                "Kernel", "TokenReading", "Tokens", "TokenForgeries", crypto, cryptoExtras,
                .product(name: "JWTKit", package: "jwt-kit"),
            ]
        ),
        tests(
            "VestibuleTests",
            [
                "Kernel", "Operations", "Accounts", "Devices", "Passkeys", "Sessions", "Mail", "Tokens", "Audit",
                "OAuth", "Admin",
                "FaceProviders", "Outbound", "Storage", "HTTPAPI", "Settings", "Assembly", "Vestibule", "Web",
                "Console",
                "MemoryStore", "ReferencePages", "ScriptedServer", "SettingsFixture", "SoftwareAuthenticator",
                arguments, logging, hummingbird, httpTypes, nioCore,
            ]
        ),
        module("SettingsFixture", ["Kernel", "Settings"], path: "Tests/SettingsFixture"),
        tests(
            "SettingsTests",
            [
                "Kernel", "CodeFlow", "Operations", "Outbound", "FaceProviders", "ScriptedServer", "Fuzzing",
                "TokenReading", "Tokens", "OAuth", "Passkeys", "Sessions", "Storage", "Wallet", "Web", "HTTPAPI",
                "Settings",
                "SettingsFixture", crypto, logging,
            ]
        ),
        module("ScriptedServer", ["Kernel", nioCore, nioPosix, nioSSL], path: "Tests/ScriptedServer"),
        tests(
            "OutboundTests",
            ["Kernel", "Accounts", "Mail", "Outbound", "Web", "ScriptedServer", "MemoryStore", "MailServer", logging]
        ),
        module("MailServer", [], path: "Tests/MailServer"),
        module("PostgresServer", [], path: "Tests/PostgresServer"),
        tests("MailTests", ["Kernel", "Mail", "MemoryStore", "StoreContract"]),
        tests(
            "FaceProvidersTests",
            [
                "Kernel", "Operations", "Outbound", "FaceProviders", "ScriptedServer", "MemoryStore", "StoreContract",
                "Fuzzing", crypto, logging, metrics,
            ]
        ),
        tests(
            "VestibuleTokensTests",
            [
                "Kernel", "TokenReading", "Tokens", "TokenForgeries", "VestibuleClient", "VestibuleTokens",
                "VestibuleTokensHummingbird", "SampleBackend", hummingbird, hummingbirdTesting, httpTypes,
            ]
        ),
        tests("VestibuleClientTests", ["VestibuleClient", "Wire", "ScriptedServer", crypto]),
        tests("OperationsTests", ["Kernel", "Operations", "MemoryStore", "StoreContract", logging]),
        tests("Simulation", ["Kernel", "Operations", "MemoryStore", "Fuzzing", logging]),
        tests(
            "AccountsTests",
            ["Kernel", "Accounts", "MemoryStore", "StoreContract", crypto, cryptoExtras]
        ),
        tests(
            "AuthIDMockTests",
            [
                "AuthIDMock", "AuthIDMockServer", "MockServing", "Kernel", arguments, hummingbird, hummingbirdTesting,
                httpTypes,
                nioCore, crypto,
            ]
        ),
        tests(
            "PasskeysTests",
            ["Kernel", "Passkeys", "Fuzzing", crypto, cryptoExtras, x509, swiftASN1],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "OAuthTests",
            [
                "Kernel", "CodeFlow", "TokenReading", "OAuth", "MemoryStore", "StoreContract", "Fuzzing", crypto,
                cryptoExtras, logging,
            ]
        ),
        tests("UpstreamsTests", ["Kernel", "CodeFlow", "OAuth", "Outbound", "Upstreams", "Wallet", "ScriptedServer"]),
        module(
            "MockCaller",
            ["MockServing", "Kernel", hummingbird, hummingbirdTesting, httpTypes, nioCore],
            path: "Tests/MockCaller"
        ),
        tests(
            "UpstreamMockTests",
            ["UpstreamMock", "MockServing", "MockCaller", "Kernel", httpTypes, crypto]
        ),
        tests(
            "BankMockTests",
            ["BankMock", "MockServing", "MockCaller", "Kernel", httpTypes, crypto]
        ),
        tests("WalletTests", ["Kernel", "CodeFlow", "Wallet", "MemoryStore", "StoreContract", crypto, logging]),
        tests("AuditTests", ["Kernel", "Audit", crypto, logging]),
        tests("TelemetryTests", ["Telemetry", metrics]),
        tests("DevicesTests", ["Kernel", "Devices", "MemoryStore", "StoreContract", crypto, cryptoExtras]),
        tests("SessionsTests", ["Kernel", "Sessions", "MemoryStore", "StoreContract", "Fuzzing"]),
        tests(
            "PasskeyServiceTests",
            ["Kernel", "Passkeys", "MemoryStore", "StoreContract", "SoftwareAuthenticator", crypto]
        ),
        tests(
            "StorageTests",
            [
                "Kernel", "Operations", "Accounts", "Devices", "Passkeys", "Sessions", "Mail", "Wallet", "Audit",
                "OAuth", "SignIn", "Storage", "StoreContract", "PostgresServer", crypto, logging, metrics,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "HTTPAPIUnitTests",
            [
                "Kernel", "CodeFlow", "Wire", "Operations", "Accounts", "OAuth", "Wallet", "HTTPAPI", "Web",
                "SignIn", "MemoryStore",
                "ScriptedServer",
                logging,
                hummingbird, hummingbirdTesting, httpTypes, nioCore, nioHTTPTypes,
                .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                yams,
            ]
        ),
        // The whole daemon, but for its sockets and the executable.
        tests(
            "HTTPAPITests",
            [
                "Kernel", "CodeFlow", "Wire", "Operations", "Accounts", "Devices", "Sessions", "Mail", "TokenReading",
                "Tokens", "Audit", "OAuth", "SignIn", "Admin", "Passkeys", "SoftwareAuthenticator", "Storage",
                "FaceProviders", "HTTPAPI",
                "Telemetry",
                "Settings", "Assembly",
                "Wallet", "Web", "MemoryStore", "StoreContract", "PostgresServer", "ReferencePages", "ScriptedServer",
                "Fuzzing",
                "TokenForgeries",
                crypto, cryptoExtras, logging, .product(name: "GRDB", package: "GRDB.swift"), hummingbird,
                hummingbirdTesting, httpTypes,
                nioCore, yams,
            ]
        ),
        tests(
            "EndToEnd",
            [
                "Vestibule", "AuthIDMockServer", "UpstreamMockServer", "BankMockServer", "SampleBackend", "Kernel",
                "Wire", "SoftwareAuthenticator", subprocess, yams, crypto, logging, "Outbound",
                "VestibuleClient", "ScriptedServer", "MailServer", "PostgresServer", "TokenForgeries", "TokenReading",
                "Tokens", "VestibuleTokens", "Fuzzing",
            ]
        ),
    ]
)
