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
  products: [
    .library(name: "ToDoModel", targets: ["ToDoModel"]),
    .library(
      name: "ToDoClient",
      targets: ["ToDoClient", "ToDoModel", "ToDoRPC", "ToDoTTRPC", "ToDoTTRPCTransport", "ToDoTransport"]),
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
      name: "CToDoProtobufC",
      pkgConfig: "libprotobuf-c",
      providers: [.apt(["libprotobuf-c-dev"])]
    ),
    // The hashes of tokens. No pkg-config file, which names the shared library.
    .systemLibrary(name: "CToDoSodium", providers: [.apt(["libsodium-dev"])]),
    .target(name: "CToDoProtos", dependencies: ["CToDoProtobufC"]),
    .systemLibrary(
      name: "CToDoSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // SQLite's C interface in Swift: connections, statements, errors. A leaf, because it knows no table of the stores.
    .target(name: "ToDoSQLite", dependencies: ["CToDoSQLite"]),
    // No pkg-config file, because SwiftPM would warn of a missing one in builds without the trait.
    .systemLibrary(name: "CToDoLibPQ", providers: [.apt(["libpq-dev"])]),
    // libpq in Swift: connections, pipelines, errors. A leaf, because it knows no table of the stores.
    .target(
      name: "ToDoPostgreSQL", dependencies: [.target(name: "CToDoLibPQ", condition: withPostgreSQL)]),
    // Cancellable waits, files that only their owner can read, and the exit status of the three programs. A leaf.
    .target(name: "ToDoSupport"),
    .target(name: "ToDoModel"),
    // What a sentence such as "Dinner tomorrow 19:00 @Rossi" says about an item. A leaf, because it is a pure function.
    .target(name: "ToDoQuickAdd", dependencies: ["ToDoModel"]),
    .target(name: "ToDoRules", dependencies: ["ToDoModel", "ToDoSupport"]),
    // Messages of protobuf-c in an arena, which both the RPC core and the codecs of the schema use.
    .target(name: "ToDoProtobuf", dependencies: ["CToDoProtos", nioCore]),
    .target(
      name: "ToDoRPC",
      dependencies: [
        "CToDoProtos", "ToDoProtobuf", "ToDoSupport", instrumentation, logging, metrics, nioCore, serviceContext,
        tracing,
      ]),
    .target(
      name: "ToDoTTRPC", dependencies: ["CToDoProtos", "ToDoProtobuf", "ToDoRPC", nioCore]),
    // Listening, connecting and TLS, whatever protocol the connection speaks.
    .target(
      name: "ToDoTransport",
      dependencies: ["ToDoRPC", "ToDoSupport", nioCore, nioPosix, nioSSL, nioTLS, swiftASN1, logging]
    ),
    .target(
      name: "ToDoTTRPCTransport",
      dependencies: [
        "ToDoProtobuf", "ToDoRPC", "ToDoSupport", "ToDoTTRPC", "ToDoTransport", nioCore, nioPosix, logging,
      ]
    ),
    .target(
      name: "ToDoProtocol", dependencies: ["CToDoProtos", "ToDoModel", "ToDoProtobuf", "ToDoRPC", "ToDoTTRPC"]),
    .target(
      name: "ToDoClient",
      dependencies: [
        "ToDoModel", "ToDoProtocol", "ToDoRPC", "ToDoSupport", "ToDoTTRPC", "ToDoTTRPCTransport", "ToDoTransport",
        logging, nioCore, nioPosix,
      ]
    ),
    .target(
      name: "ToDoServer",
      dependencies: [
        "CToDoSodium", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoSupport",
        "ToDoTTRPCTransport", "ToDoTransport", logging, metrics, nioCore, serviceLifecycle, tracing,
      ],
      // The archive, so that the server needs no further package where it runs.
      linkerSettings: [.linkedLibrary(":libsodium.a")]
    ),
    // The schema's own description, for gRPC's server reflection: made by Protos/generate.
    .target(name: "CToDoSchema", exclude: ["schema.binpb"]),
    .target(
      name: "ToDoGRPCTransport",
      dependencies: [
        "CToDoProtos", "CToDoSchema", "ToDoProtobuf", "ToDoRPC", "ToDoSupport", "ToDoTransport", logging, nioCore,
        nioHPACK, nioHTTP2, nioPosix, .product(name: "NIOTLS", package: "swift-nio", condition: withGRPC),
      ]
    ),
    .target(
      name: "ToDoStores",
      dependencies: ["ToDoModel", "ToDoRules", "ToDoSQLite", "ToDoSupport", deques]),
    // Not a part of ToDoStores, because the command links that, and must not need libpq.
    .target(
      name: "ToDoPostgreSQLStore",
      dependencies: ["ToDoModel", "ToDoPostgreSQL", "ToDoRules", "ToDoStores", "ToDoSupport"]),
    // Coastlines and borders for maps, made by the script beside them.
    .target(
      name: "CToDoGazetteer", exclude: ["gazetteer.bin", "make-gazetteer", "regions.txt"]),
    .target(name: "CToDoWorldMap", exclude: ["make-world-map", "world.bin"]),
    // Reports crashes, in C, as a handler of signals may run little of Swift.
    .target(name: "CToDoCrashReport"),
    // Releases memory that only the start of a program uses. In C, because Swift cannot import the ELF headers.
    .target(name: "CToDoProcessMemory"),
    .target(
      name: "ToDoGeocoders",
      dependencies: [
        "CToDoGazetteer", "ToDoModel", "ToDoRules", "ToDoSQLite", "ToDoSupport", nioCore, nioHTTP1, nioPosix, nioSSL,
      ]
    ),
    // Items, dates and maps as text and as JSON.
    .target(name: "ToDoText", dependencies: ["CToDoWorldMap", "ToDoModel", "ToDoQuickAdd"]),
    // The screens of `todo ui` as pure state machines.
    .target(name: "ToDoScreens", dependencies: ["ToDoModel", "ToDoQuickAdd", "ToDoText"]),
    .executableTarget(
      name: "todo",
      dependencies: [
        "CToDoProcessMemory", "ToDoClient", "ToDoGeocoders", "ToDoModel", "ToDoProtocol", "ToDoQuickAdd", "ToDoRPC",
        "ToDoRules", "ToDoScreens", "ToDoStores", "ToDoSupport", "ToDoText", "ToDoTransport", argumentParser, logging,
      ],
      exclude: ["README.md", "make-picture", "todo.svg"]
    ),
    .executableTarget(
      name: "todo-server",
      dependencies: [
        "CToDoCrashReport", "CToDoProcessMemory", .target(name: "ToDoGRPCTransport", condition: withGRPC),
        "ToDoGeocoders", "ToDoModel", .target(name: "ToDoPostgreSQLStore", condition: withPostgreSQL), "ToDoRPC",
        "ToDoRules", "ToDoServer", "ToDoStores", "ToDoSupport", "ToDoTransport", argumentParser, configuration, logging,
        nioCore, nioPosix, serviceLifecycle, unixSignals,
      ],
      exclude: ["README.md"]
    ),
    .executableTarget(
      name: "todo-load",
      dependencies: [
        "ToDoClient", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoSupport", "ToDoTTRPC",
        "ToDoTTRPCTransport", "ToDoTransport", argumentParser, histogram, logging, nioCore, nioPosix, unixSignals,
      ],
      exclude: ["README.md"]
    ),

    .target(
      name: "ToDoTestSupport",
      dependencies: ["ToDoModel", "ToDoRules", "ToDoSupport"],
      path: "Tests/ToDoTestSupport"
    ),
    // Child processes. A leaf, because benchmarks and the servers of PostgreSQL's tests use it.
    .target(name: "ToDoTestProcesses", path: "Tests/ToDoTestProcesses"),
    // Servers, clients and programs that a test starts.
    .target(
      name: "ToDoTestServers",
      dependencies: [
        "ToDoClient", .target(name: "ToDoGRPCTransport", condition: withGRPC), "ToDoModel", "ToDoProtobuf",
        "ToDoProtocol", "ToDoRPC", "ToDoServer", "ToDoSupport", "ToDoTTRPC", "ToDoTTRPCTransport",
        "ToDoTestCertificates", "ToDoTestProcesses", "ToDoTestSupport", "ToDoTransport", logging, nioCore, nioHPACK,
        nioHTTP2, nioPosix, nioSSL,
      ],
      path: "Tests/ToDoTestServers"
    ),
    .target(
      name: "ToDoTestCertificates", dependencies: ["ToDoTestProcesses"], path: "Tests/ToDoTestCertificates"),
    // Time zones, towns and a terminal for tests of texts and screens.
    .target(
      name: "ToDoTestScreens", dependencies: ["ToDoModel", "ToDoRules", "ToDoScreens", "ToDoText"],
      path: "Tests/ToDoTestScreens"),
    .testTarget(
      name: "ToDoTextTests", dependencies: ["ToDoModel", "ToDoTestScreens", "ToDoTestSupport", "ToDoText"],
      exclude: ["Golden"]),
    .testTarget(
      name: "ToDoScreensTests",
      dependencies: ["ToDoModel", "ToDoScreens", "ToDoTestScreens", "ToDoTestSupport", "ToDoText"],
      exclude: ["Golden"]),
    .testTarget(
      name: "todoTests",
      dependencies: [
        "ToDoClient", "ToDoGeocoders", "ToDoModel", "ToDoRPC", "ToDoRules", "ToDoScreens", "ToDoStores", "ToDoSupport",
        "ToDoTestProcesses", "ToDoTestScreens", "ToDoTestSupport", "ToDoText", "todo",
      ],
      exclude: ["Golden"]
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "ToDoClient", .target(name: "ToDoGRPCTransport", condition: withGRPC), "ToDoModel",
        .target(name: "ToDoPostgreSQLStore", condition: withPostgreSQL), "ToDoProtobuf", "ToDoProtocol", "ToDoRPC",
        "ToDoRules", "ToDoServer", "ToDoStores", "ToDoTTRPCTransport", "ToDoTestCertificates",
        .target(name: "ToDoTestPostgreSQL", condition: withPostgreSQL), "ToDoTestProcesses", "ToDoTestServers",
        "ToDoTestSupport", "ToDoTransport", logging, nioCore, nioEmbedded, nioHPACK, nioPosix,
      ]
    ),
    .testTarget(
      name: "todo-loadTests",
      dependencies: [
        "ToDoClient", "ToDoModel", "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoSupport", "ToDoTTRPC",
        "ToDoTTRPCTransport", "ToDoTestSupport", "ToDoTransport", "todo-load", argumentParser, histogram, logging,
        nioPosix,
      ],
      exclude: ["Golden"]
    ),
    .testTarget(
      name: "ToDoProtocolTests",
      dependencies: [
        "CToDoProtos", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoTTRPC", "ToDoTestSupport", nioCore,
      ]
    ),
    .testTarget(
      name: "ToDoClientTests",
      dependencies: [
        "ToDoClient", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoStores", "ToDoTTRPC",
        "ToDoTTRPCTransport", "ToDoTestServers", "ToDoTestSupport", "ToDoTransport", nioCore,
      ]
    ),
    .testTarget(
      name: "ToDoServerTests",
      dependencies: [
        "ToDoClient", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores",
        "ToDoSupport", "ToDoTestServers", "ToDoTestSupport", "ToDoTransport", logging, nioCore, nioEmbedded, nioPosix,
        serviceLifecycle,
      ]
    ),
    .testTarget(
      name: "todo-serverTests",
      dependencies: [
        "ToDoClient", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoSQLite", "ToDoServer",
        "ToDoStores", "ToDoTTRPCTransport", "ToDoTestProcesses", "ToDoTestServers", "ToDoTestSupport", "ToDoTransport",
        "todo-server", configuration, instrumentation, logging, metrics, nioCore, nioPosix, serviceContext, tracing,
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]
    ),
    .testTarget(
      name: "ToDoTransportTests",
      dependencies: [
        "ToDoRPC", "ToDoTTRPCTransport", "ToDoTestCertificates", "ToDoTestServers", "ToDoTestSupport", "ToDoTransport",
        logging, nioCore, nioEmbedded, nioPosix, nioSSL, nioTLS,
      ],
      exclude: ["TLS/CertificateSubjects.json"]
    ),
    .testTarget(
      name: "ToDoTTRPCTransportTests",
      dependencies: [
        "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoSupport", "ToDoTTRPC",
        "ToDoTTRPCTransport", "ToDoTestServers", "ToDoTestSupport", "ToDoTransport", logging, nioCore, nioEmbedded,
        nioPosix,
      ]
    ),
    .testTarget(
      name: "ToDoGRPCTransportTests",
      dependencies: [
        "ToDoGRPCTransport", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoServer",
        "ToDoStores", "ToDoSupport", "ToDoTestCertificates", "ToDoTestServers", "ToDoTestSupport", "ToDoTransport",
        logging, nioCore, nioEmbedded, nioHPACK, nioHTTP2,
      ]
    ),
    .testTarget(
      name: "ToDoTTRPCTests",
      dependencies: ["CToDoProtos", "ToDoProtobuf", "ToDoRPC", "ToDoTTRPC", "ToDoTestSupport", nioCore, nioTestUtils]),
    .testTarget(
      name: "ToDoRPCTests",
      dependencies: [
        "ToDoProtobuf", "ToDoRPC", "ToDoSupport", "ToDoTestSupport", logging, metrics, nioCore, nioEmbedded,
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]),
    .testTarget(name: "ToDoSQLiteTests", dependencies: ["ToDoSQLite", "ToDoTestSupport"]),
    // A private PostgreSQL server of the test process.
    .target(
      name: "ToDoTestPostgreSQL", dependencies: ["ToDoPostgreSQL", "ToDoTestProcesses"],
      path: "Tests/ToDoTestPostgreSQL"),
    .testTarget(
      name: "ToDoPostgreSQLTests", dependencies: ["ToDoPostgreSQL", "ToDoTestPostgreSQL", "ToDoTestSupport"]),
    .testTarget(
      name: "ToDoPostgreSQLStoreTests",
      dependencies: [
        "ToDoModel", "ToDoPostgreSQL", "ToDoPostgreSQLStore", "ToDoRules", "ToDoSQLite", "ToDoStores", "ToDoSupport",
        "ToDoTestPostgreSQL", "ToDoTestSupport",
      ]),
    .testTarget(
      name: "ToDoQuickAddTests", dependencies: ["ToDoModel", "ToDoQuickAdd", "ToDoTestSupport"], exclude: ["Phrases"]),
    .testTarget(name: "ToDoSupportTests", dependencies: ["ToDoSupport", "ToDoTestSupport"]),
    .testTarget(name: "ToDoTestSupportTests", dependencies: ["ToDoTestSupport"]),
    .testTarget(name: "ToDoModelTests", dependencies: ["ToDoModel", "ToDoTestSupport"]),
    .testTarget(
      name: "ToDoRulesTests", dependencies: ["ToDoModel", "ToDoRules", "ToDoStores", "ToDoSupport", "ToDoTestSupport"]),
    .target(
      name: "FuzzTargets",
      dependencies: [
        .target(name: "ToDoGRPCTransport", condition: withGRPC), "ToDoModel", "ToDoProtobuf", "ToDoProtocol",
        "ToDoQuickAdd", "ToDoRPC", "ToDoRules", "ToDoTTRPC", "ToDoText", nioCore, nioHPACK,
      ],
      path: "Tests/Fuzz/FuzzTargets"),
    .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/FuzzMain"),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "ToDoTestSupport"], path: "Tests/Fuzz/FuzzTests"),
    .executableTarget(
      name: "GeocoderBenchmarks",
      dependencies: ["ToDoGeocoders", "ToDoModel"],
      path: "Tests/Benchmarks/GeocoderBenchmarks"
    ),
    .executableTarget(
      name: "MessageBenchmarks",
      dependencies: [
        "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoTTRPC",
        "ToDoTTRPCTransport", logging, nioCore, nioEmbedded,
      ],
      path: "Tests/Benchmarks/MessageBenchmarks"
    ),
    .executableTarget(
      name: "StoreBenchmarks",
      dependencies: ["ToDoModel", "ToDoRules", "ToDoStores"],
      path: "Tests/Benchmarks/StoreBenchmarks"
    ),
    .executableTarget(
      name: "WatchBenchmarks",
      dependencies: ["ToDoClient", "ToDoModel", "ToDoTestProcesses", "ToDoTransport"],
      path: "Tests/Benchmarks/WatchBenchmarks"
    ),
    .testTarget(
      name: "ToDoGeocodersTests",
      dependencies: [
        "ToDoGeocoders", "ToDoModel", "ToDoRules", "ToDoSQLite", "ToDoTestCertificates", "ToDoTestSupport", nioCore,
        nioHTTP1,
        nioPosix, nioSSL,
      ],
      exclude: ["Gazetteer/places.tsv"]
    ),
    .testTarget(
      name: "ToDoStoresTests", dependencies: ["ToDoModel", "ToDoRules", "ToDoSQLite", "ToDoStores", "ToDoTestSupport"]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = strict
  target.cSettings = [.treatAllWarnings(as: .error)]
}

// Programs that developers run, and no test needs. DEVELOPER_PROGRAMS declares them, so that a test build omits them.
if Context.environment["DEVELOPER_PROGRAMS"] == nil {
  let names = ["fuzz", "GeocoderBenchmarks", "MessageBenchmarks", "StoreBenchmarks", "WatchBenchmarks"]
  package.targets.removeAll { names.contains($0.name) }
}

// The sanitizers build only the tests in which they can find errors: TEST_TARGETS names these.
if let names = Context.environment["TEST_TARGETS"]?.split(whereSeparator: \.isWhitespace) {
  package.targets.removeAll { target in target.type == .test && !names.contains(Substring(target.name)) }
}
