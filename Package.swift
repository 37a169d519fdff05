// swift-tools-version: 6.2

import PackageDescription

/// The parts that a light build omits. Each is a trait, and `Complete` stands for all of them.
let parts = ["GRPC", "Nominatim", "PostgreSQL", "TLS"]

/// What every Swift target is compiled with: nothing is implicit, nothing is only a warning.
let strict: [SwiftSetting] =
  [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + parts.map { .define($0, .when(traits: ["Complete"])) }

let strictC: [CSetting] = [.treatAllWarnings(as: .error)]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioTestUtils = Target.Dependency.product(name: "NIOTestUtils", package: "swift-nio")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let instrumentation = Target.Dependency.product(name: "Instrumentation", package: "swift-distributed-tracing")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let serviceContext = Target.Dependency.product(name: "ServiceContextModule", package: "swift-service-context")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let deques = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")

/// What only a build with the trait TLS needs.
let withTLS = TargetDependencyCondition.when(traits: ["Complete", "TLS"])
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl", condition: withTLS)
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio", condition: withTLS)
let swiftASN1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1", condition: withTLS)

/// What only a build with the trait PostgreSQL needs.
let withPostgreSQL = TargetDependencyCondition.when(traits: ["Complete", "PostgreSQL"])

/// What only a build with the trait Nominatim needs.
let withNominatim = TargetDependencyCondition.when(traits: ["Complete", "Nominatim"])
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio", condition: withNominatim)

/// What only a build with the trait GRPC needs.
let withGRPC = TargetDependencyCondition.when(traits: ["Complete", "GRPC"])
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2", condition: withGRPC)
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2", condition: withGRPC)

let package = Package(
  name: "todo",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "ToDoModel", targets: ["ToDoModel"]),
    .library(name: "ToDoClient", targets: ["ToDoClient", "ToDoModel", "RPC", "TTRPC", "TTRPCTransport", "Transport"]),
    .executable(name: "todo", targets: ["todo"]),
    .executable(name: "todo-server", targets: ["todo-server"]),
    .executable(name: "todo-load", targets: ["todo-load"]),
  ],
  traits: [
    // The only default trait: SwiftPM passes several in a random order, and compiles everything again when it changes.
    .default(enabledTraits: ["Complete"]),
    .trait(name: "Complete", description: "All of the following."),
    .trait(name: "GRPC", description: "todo-server serves gRPC too. Needs swift-nio-http2."),
    .trait(name: "Nominatim", description: "The geocoder that queries Nominatim servers.", enabledTraits: ["TLS"]),
    .trait(name: "PostgreSQL", description: "todo-server stores lists in PostgreSQL too. Needs libpq."),
    .trait(name: "TLS", description: "tls:// endpoints, of clients and servers. Needs swift-nio-ssl."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    // Its trait JSON needs all of Foundation.
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-service-context", from: "1.5.1"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // From leaf to root.
    .systemLibrary(
      name: "CProtobufC",
      pkgConfig: "libprotobuf-c",
      providers: [.apt(["libprotobuf-c-dev"]), .brew(["protobuf-c"])]
    ),
    // The hashes of tokens. No pkg-config file, which names the shared library.
    .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .target(name: "CProtos", dependencies: ["CProtobufC"], cSettings: strictC),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    // SQLite's C interface in Swift: connections, statements, errors. A leaf, because it knows no table of the stores.
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    // No pkg-config file, because SwiftPM would warn of a missing one in builds without the trait.
    .systemLibrary(name: "CLibPQ", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // libpq in Swift: connections, pipelines, errors. A leaf, because it knows no table of the stores.
    .target(
      name: "PostgreSQL", dependencies: [.target(name: "CLibPQ", condition: withPostgreSQL)], swiftSettings: strict),
    // Files that only their owner can read. A leaf, because the client, the stores and the geocoders all create some.
    .target(name: "PrivateFiles", swiftSettings: strict),
    // The exit status that the three programs share.
    .target(name: "ProgramSupport", swiftSettings: strict),
    // One task's cancellable wait for a value. A leaf, because the feed, the client, the server and the geocoders use it.
    .target(name: "Waiters", swiftSettings: strict),
    .target(name: "ToDoModel", swiftSettings: strict),
    // What a sentence such as "Dinner tomorrow 19:00 @Rossi" says about an item. A leaf, because it is a pure function.
    .target(name: "ToDoQuickAdd", dependencies: ["ToDoModel"], swiftSettings: strict),
    .target(name: "ToDoRules", dependencies: ["ToDoModel", "Waiters"], swiftSettings: strict),
    // Messages of protobuf-c in an arena, which both the RPC core and the codecs of the schema use.
    .target(name: "Protobuf", dependencies: ["CProtos", nioCore], swiftSettings: strict),
    .target(
      name: "RPC",
      dependencies: [
        "CProtos", "Protobuf", "Waiters", instrumentation, logging, metrics, nioCore, serviceContext, tracing,
      ], swiftSettings: strict),
    .target(name: "TTRPC", dependencies: ["CProtos", "Protobuf", "RPC", nioCore], swiftSettings: strict),
    // Listening, connecting and TLS, whatever protocol the connection speaks.
    .target(
      name: "Transport",
      dependencies: [
        "PrivateFiles", "RPC", nioCore, nioPosix, nioSSL, nioTLS, swiftASN1, logging,
      ],
      swiftSettings: strict
    ),
    .target(
      name: "TTRPCTransport",
      dependencies: ["Protobuf", "RPC", "TTRPC", "Transport", "Waiters", nioCore, nioPosix, logging],
      swiftSettings: strict
    ),
    .target(
      name: "ToDoProtocol", dependencies: ["CProtos", "Protobuf", "RPC", "TTRPC", "ToDoModel"], swiftSettings: strict),
    .target(
      name: "ToDoClient",
      dependencies: [
        "RPC", "TTRPC", "TTRPCTransport", "ToDoModel", "ToDoProtocol", "Transport", "Waiters", logging, nioCore,
        nioPosix,
      ],
      swiftSettings: strict
    ),
    .target(
      name: "ToDoServer",
      dependencies: [
        "CSodium", "Protobuf", "RPC", "TTRPCTransport", "ToDoModel", "ToDoProtocol", "ToDoRules", "Transport",
        "Waiters",
        logging, metrics, nioCore, serviceLifecycle, tracing,
      ],
      swiftSettings: strict,
      // The archive, so that the server needs no further package where it runs.
      linkerSettings: [
        .linkedLibrary(":libsodium.a", .when(platforms: [.linux])),
        .linkedLibrary("sodium", .when(platforms: [.macOS])),
      ]
    ),
    // The schema's own description, for gRPC's server reflection: made by Protos/generate.
    .target(name: "CSchema", exclude: ["schema.binpb"], cSettings: strictC),
    .target(
      name: "GRPCTransport",
      dependencies: [
        "CProtos", "CSchema", "Protobuf", "RPC", "Transport", "Waiters", logging, nioCore,
        nioHPACK,
        nioHTTP2,
        nioPosix,
        .product(name: "NIOTLS", package: "swift-nio", condition: withGRPC),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "ToDoStores",
      dependencies: ["PrivateFiles", "SQLite", "ToDoModel", "ToDoRules", "Waiters", deques],
      swiftSettings: strict),
    // Not a part of ToDoStores, because the command links that, and must not need libpq.
    .target(
      name: "ToDoPostgreSQLStore", dependencies: ["PostgreSQL", "ToDoModel", "ToDoRules", "ToDoStores", "Waiters"],
      swiftSettings: strict),
    // Coastlines and borders for maps, made by the script beside them.
    .target(
      name: "CGazetteer", exclude: ["gazetteer.bin", "make-gazetteer", "regions.txt"], cSettings: strictC),
    .target(name: "CWorldMap", exclude: ["make-world-map", "world.bin"], cSettings: strictC),
    // Reports crashes, in C, as a handler of signals may run little of Swift.
    .target(name: "CCrashReport", cSettings: strictC),
    // Releases memory that only the start of a program uses. In C, because Swift cannot import the ELF headers.
    .target(name: "CProcessMemory", cSettings: strictC),
    .target(
      name: "ToDoGeocoders",
      dependencies: [
        "CGazetteer", "PrivateFiles", "ToDoModel", "ToDoRules", "Waiters", nioCore, nioHTTP1, nioPosix, nioSSL,
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "todo",
      dependencies: [
        "CProcessMemory", "CWorldMap", "PrivateFiles", "ProgramSupport", "RPC", "ToDoClient", "ToDoGeocoders",
        "ToDoModel",
        "ToDoProtocol", "ToDoQuickAdd", "ToDoRules", "ToDoStores", "Transport", argumentParser, logging,
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "todo-server",
      dependencies: [
        .target(name: "GRPCTransport", condition: withGRPC), "CCrashReport", "CProcessMemory", "ProgramSupport", "RPC",
        .target(name: "ToDoPostgreSQLStore", condition: withPostgreSQL), "ToDoGeocoders", "ToDoModel", "ToDoRules",
        "ToDoServer", "ToDoStores", "Transport", argumentParser, configuration, logging,
        nioCore, nioPosix, serviceLifecycle, unixSignals,
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "todo-load",
      dependencies: [
        "PrivateFiles", "ProgramSupport", "Protobuf", "RPC", "TTRPC", "TTRPCTransport", "ToDoClient", "ToDoModel",
        "ToDoProtocol", "Transport", argumentParser, histogram, logging, nioCore, nioPosix, unixSignals,
      ],
      swiftSettings: strict
    ),

    .target(
      name: "TestSupport",
      dependencies: ["ToDoModel", "ToDoRules", "Waiters"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    // Child processes. A leaf, because benchmarks and the servers of PostgreSQL's tests use it.
    .target(name: "TestProcesses", path: "Tests/TestProcesses", swiftSettings: strict),
    // Servers, clients and programs that a test starts.
    .target(
      name: "TestServers",
      dependencies: [
        .target(name: "GRPCTransport", condition: withGRPC), "Protobuf", "RPC", "TTRPC", "TTRPCTransport",
        "TestCertificates", "TestProcesses", "TestSupport", "ToDoClient", "ToDoModel", "ToDoProtocol", "ToDoServer",
        "Transport", "Waiters", logging, nioCore, nioHPACK, nioHTTP2, nioPosix, nioSSL,
      ],
      path: "Tests/TestServers",
      swiftSettings: strict
    ),
    .target(
      name: "TestCertificates", dependencies: ["TestProcesses"], path: "Tests/TestCertificates", swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "PrivateFiles", "ProgramSupport", "RPC", "ToDoClient", "ToDoGeocoders", "ToDoModel", "ToDoRules", "ToDoStores",
        "TestProcesses", "TestSupport", "todo",
      ],
      exclude: ["Golden"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        .target(name: "TestPostgreSQL", condition: withPostgreSQL),
        .target(name: "ToDoPostgreSQLStore", condition: withPostgreSQL),
        .target(name: "GRPCTransport", condition: withGRPC), "Protobuf", "RPC", "TTRPCTransport", "TestCertificates",
        "TestProcesses", "TestServers", "TestSupport", "ToDoClient",
        "ToDoModel", "ToDoProtocol", "ToDoRules", "ToDoServer", "ToDoStores", "Transport", logging, nioCore,
        nioEmbedded, nioHPACK, nioPosix,
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "LoadTests",
      dependencies: [
        "TTRPC",
        "PrivateFiles", "ProgramSupport", "RPC", "TTRPCTransport", "TestSupport", "ToDoClient", "ToDoModel",
        "ToDoRules", "ToDoServer", "ToDoStores", "Transport", "todo-load", argumentParser, histogram, logging, nioPosix,
      ],
      exclude: ["Golden"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ToDoProtocolTests",
      dependencies: ["CProtos", "Protobuf", "RPC", "TTRPC", "ToDoModel", "ToDoProtocol", "TestSupport", nioCore],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ToDoClientTests",
      dependencies: [
        "Protobuf", "RPC", "TTRPC", "TTRPCTransport", "TestServers", "TestSupport", "ToDoClient", "ToDoModel",
        "ToDoProtocol", "ToDoRules", "ToDoStores", "Transport", nioCore,
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ToDoServerTests",
      dependencies: [
        "Protobuf", "RPC", "TestServers", "TestSupport", "ToDoClient", "ToDoModel", "ToDoProtocol", "ToDoRules",
        "ToDoServer", "ToDoStores", "Transport", "Waiters", logging, nioCore, nioEmbedded, nioPosix, serviceLifecycle,
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "todo-serverTests",
      dependencies: [
        "Protobuf", "RPC", "SQLite", "TestProcesses", "TestServers", "TestSupport", "ToDoClient", "ToDoModel",
        "ToDoProtocol", "ToDoRules", "ToDoServer", "ToDoStores", "TTRPCTransport", "Transport", "todo-server",
        configuration,
        instrumentation, logging, metrics, nioCore, nioPosix, serviceContext, tracing,
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TransportTests",
      dependencies: [
        "RPC", "TTRPCTransport", "TestCertificates", "TestServers", "TestSupport", "Transport", logging, nioCore,
        nioEmbedded, nioPosix, nioSSL, nioTLS,
      ],
      exclude: ["TLS/CertificateSubjects.json"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TTRPCTransportTests",
      dependencies: [
        "Protobuf", "RPC", "TTRPC", "TTRPCTransport", "TestServers", "TestSupport", "ToDoProtocol", "ToDoRules",
        "ToDoServer", "ToDoStores", "Transport", "Waiters", logging, nioCore, nioEmbedded, nioPosix,
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "GRPCTransportTests",
      dependencies: [
        "GRPCTransport", "Protobuf", "RPC", "TestCertificates", "TestServers", "TestSupport", "ToDoModel",
        "ToDoProtocol", "ToDoRules", "ToDoServer", "ToDoStores", "Transport", "Waiters", logging, nioCore, nioEmbedded,
        nioHPACK, nioHTTP2,
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TTRPCTests",
      dependencies: ["CProtos", "Protobuf", "RPC", "TTRPC", "TestSupport", nioCore, nioTestUtils],
      swiftSettings: strict),
    .testTarget(
      name: "RPCTests",
      dependencies: [
        "Protobuf", "RPC", "TestSupport", "Waiters", logging, metrics, nioCore, nioEmbedded,
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PrivateFilesTests", dependencies: ["PrivateFiles", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"], swiftSettings: strict),
    // A private PostgreSQL server of the test process.
    .target(
      name: "TestPostgreSQL", dependencies: ["PostgreSQL", "TestProcesses"], path: "Tests/TestPostgreSQL",
      swiftSettings: strict),
    .testTarget(
      name: "PostgreSQLTests", dependencies: ["PostgreSQL", "TestPostgreSQL", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ToDoPostgreSQLStoreTests",
      dependencies: [
        "PostgreSQL", "SQLite", "TestPostgreSQL", "TestSupport", "ToDoModel", "ToDoPostgreSQLStore", "ToDoRules",
        "ToDoStores",
        "Waiters",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ToDoQuickAddTests", dependencies: ["TestSupport", "ToDoModel", "ToDoQuickAdd"], exclude: ["Phrases"],
      swiftSettings: strict),
    .testTarget(name: "WaitersTests", dependencies: ["TestSupport", "Waiters"], swiftSettings: strict),
    .testTarget(
      name: "ToDoRulesTests", dependencies: ["ToDoModel", "ToDoRules", "ToDoStores", "TestSupport", "Waiters"],
      swiftSettings: strict),
    .target(
      name: "FuzzTargets",
      dependencies: [
        .target(name: "GRPCTransport", condition: withGRPC), "Protobuf", "RPC", "TTRPC", "ToDoModel", "ToDoProtocol",
        "ToDoQuickAdd", "ToDoRules", nioCore, nioHPACK,
      ],
      path: "Tests/Fuzz/FuzzTargets", swiftSettings: strict),
    .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/FuzzMain", cSettings: strictC),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], path: "Tests/Fuzz/FuzzTests",
      swiftSettings: strict),
    .executableTarget(
      name: "GeocoderBenchmarks",
      dependencies: ["ToDoGeocoders", "ToDoModel"],
      path: "Tests/Benchmarks/GeocoderBenchmarks",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "MessageBenchmarks",
      dependencies: [
        "Protobuf", "RPC", "TTRPC", "TTRPCTransport", "ToDoModel", "ToDoProtocol", "ToDoRules", "ToDoServer",
        "ToDoStores", logging, nioCore, nioEmbedded,
      ],
      path: "Tests/Benchmarks/MessageBenchmarks",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "StoreBenchmarks",
      dependencies: ["ToDoModel", "ToDoRules", "ToDoStores"],
      path: "Tests/Benchmarks/StoreBenchmarks",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "WatchBenchmarks",
      dependencies: ["TestProcesses", "ToDoClient", "ToDoModel", "Transport"],
      path: "Tests/Benchmarks/WatchBenchmarks",
      swiftSettings: strict
    ),
    .testTarget(
      name: "ToDoGeocodersTests",
      dependencies: [
        "TestCertificates", "ToDoGeocoders", "ToDoModel", "ToDoRules", "TestSupport", nioCore, nioHTTP1, nioPosix,
        nioSSL,
      ],
      exclude: ["Gazetteer/places.tsv"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ToDoStoresTests", dependencies: ["SQLite", "ToDoModel", "ToDoRules", "ToDoStores", "TestSupport"],
      swiftSettings: strict),
  ]
)

// Programs that developers run, and no test needs. DEVELOPER_PROGRAMS declares them, so that a test build omits them.
if Context.environment["DEVELOPER_PROGRAMS"] == nil {
  let names = ["fuzz", "GeocoderBenchmarks", "MessageBenchmarks", "StoreBenchmarks", "WatchBenchmarks"]
  package.targets.removeAll { names.contains($0.name) }
}

// The sanitizers build only the tests in which they can find errors: TEST_TARGETS names these.
if let names = Context.environment["TEST_TARGETS"]?.split(whereSeparator: \.isWhitespace) {
  package.targets.removeAll { target in target.type == .test && !names.contains(Substring(target.name)) }
}
