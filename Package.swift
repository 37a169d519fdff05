// swift-tools-version: 6.2

import PackageDescription

// MARK: What dependencies are

/// The products that targets depend on, by package. Below, targets and products are named alike.
let products = [
  "hdrhistogram-swift": ["Histogram"],
  "swift-argument-parser": ["ArgumentParser"],
  "swift-asn1": ["SwiftASN1"],
  "swift-collections": ["DequeModule"],
  "swift-configuration": ["Configuration"],
  "swift-distributed-tracing": ["InMemoryTracing", "Instrumentation", "Tracing"],
  "swift-log": ["InMemoryLogging", "Logging"],
  "swift-metrics": ["CoreMetrics", "MetricsTestKit"],
  "swift-nio": ["NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix", "NIOTLS", "NIOTestUtils"],
  "swift-nio-http2": ["NIOHPACK", "NIOHTTP2"],
  "swift-nio-ssl": ["NIOSSL"],
  "swift-service-context": ["ServiceContextModule"],
  "swift-service-lifecycle": ["ServiceLifecycle", "UnixSignals"],
]

/// The parts that a light build omits, and the dependencies that only they need. Each is a trait, and `Complete` stands for
/// all of them.
let parts: KeyValuePairs<String, Set<String>> = [
  "GRPC": ["CToDoZlib", "NIOHPACK", "NIOHTTP2", "NIOTLS", "ToDoCompression", "ToDoGRPCTransport"],
  "HTTP": ["CToDoOpenAPI", "CToDoPage", "NIOHTTP1", "ToDoCalendar", "ToDoHTTPTransport", "ToDoPrometheus"],
  "Nominatim": ["NIOHTTP1"],
  "PostgreSQL": ["CToDoLibPQ", "ToDoPostgreSQLStore", "ToDoTestPostgreSQL"],
  "TLS": ["NIOSSL", "NIOTLS", "SwiftASN1"],
]

/// Resolves the name of a target or a product, and limits it to the builds that need it.
func resolved(_ dependency: Target.Dependency) -> Target.Dependency {
  guard case .byNameItem(let name, _) = dependency else { return dependency }
  let traits = parts.filter { $0.value.contains(name) }.map(\.key)
  let condition = traits.isEmpty ? nil : TargetDependencyCondition.when(traits: Set(traits + ["Complete"]))
  guard let package = products.first(where: { $0.value.contains(name) })?.key else {
    return .target(name: name, condition: condition)
  }
  return .product(name: name, package: package, condition: condition)
}

/// A target in Sources, and its tests in Tests. `tests` are what the tests need besides the target and ToDoTestSupport; `nil`
/// for a target without tests of its own.
func target(
  _ name: String, _ dependencies: [Target.Dependency] = [], isProgram: Bool = false, exclude: [String] = [],
  linkerSettings: [LinkerSetting] = [], tests: [Target.Dependency]? = nil, testData: [String] = []
) -> [Target] {
  let target: Target =
    isProgram
    ? .executableTarget(name: name, dependencies: dependencies, exclude: exclude, linkerSettings: linkerSettings)
    : .target(name: name, dependencies: dependencies, exclude: exclude, linkerSettings: linkerSettings)
  guard let tests else { return [target] }
  let own: [Target.Dependency] = [.target(name: name), "ToDoTestSupport"]
  return [target, .testTarget(name: name + "Tests", dependencies: own + tests, exclude: testData)]
}

/// A target that tests share.
func testSupport(_ name: String, _ dependencies: [Target.Dependency] = []) -> [Target] {
  [.target(name: name, dependencies: dependencies, path: "Tests/\(name)")]
}

/// A program that developers run, and no test needs. DEVELOPER_PROGRAMS declares these, so that a test build omits them.
///
/// - Parameter others: targets that only the program uses.
func developerProgram(
  _ name: String, _ dependencies: [Target.Dependency], path: String, with others: [Target] = []
) -> [Target] {
  guard Context.environment["DEVELOPER_PROGRAMS"] != nil else { return [] }
  return others + [.executableTarget(name: name, dependencies: dependencies, path: path)]
}

let package = Package(
  name: "todo",
  // No executables: the programs' dependencies would be resolved and compiled by every dependent package. SwiftPM offers the
  // programs of the package that it builds in any case, as in `swift build --product todo`.
  products: [
    .library(name: "ToDoModel", targets: ["ToDoModel"]),
    .library(
      name: "ToDoClient",
      targets: ["ToDoClient", "ToDoModel", "ToDoRPC", "ToDoTTRPC", "ToDoTTRPCTransport", "ToDoTransport"]),
    // A server in a program of one's own, with any store and geocoder.
    .library(
      name: "ToDoServing",
      targets: ["ToDoGeocoders", "ToDoModel", "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoTransport"]),
    // The contracts of services, stores and geocoders as tests, and doubles.
    .library(name: "ToDoTesting", targets: ["ToDoModel", "ToDoRules", "ToDoTesting"]),
  ],
  traits: [
    // The only default trait: SwiftPM passes several in a random order, and compiles everything again when it changes.
    .default(enabledTraits: ["Complete"]),
    .trait(name: "Complete", description: "All of the following."),
    .trait(name: "GRPC", description: "todo-server serves gRPC too. Needs swift-nio-http2, zlib."),
    .trait(
      name: "HTTP", description: "todo-server serves HTTP too: Connect, gRPC-Web and gRPC.", enabledTraits: ["GRPC"]),
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
  // From leaf to root; then what only tests use.
  targets: [
    [.systemLibrary(name: "CToDoProtobufC", pkgConfig: "libprotobuf-c", providers: [.apt(["libprotobuf-c-dev"])])],
    // The hashes of tokens. No pkg-config file, which names the shared library.
    [.systemLibrary(name: "CToDoSodium", providers: [.apt(["libsodium-dev"])])],
    // Compressed messages. The shared library, because Debian updates it and permits no package to contain it.
    [.systemLibrary(name: "CToDoZlib", providers: [.apt(["zlib1g-dev"])])],
    target("CToDoProtos", ["CToDoProtobufC"]),
    [.systemLibrary(name: "CToDoSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])])],
    // No pkg-config file, because SwiftPM would warn of a missing one in builds without the trait.
    [.systemLibrary(name: "CToDoLibPQ", providers: [.apt(["libpq-dev"])])],
    // libpq in Swift: connections, pipelines, errors. A leaf, because it knows no table of the stores.
    target("ToDoPostgreSQL", ["CToDoLibPQ"], tests: ["ToDoTestPostgreSQL"]),
    // Cancellable waits, files that only their owner can read, and the exit status of the three programs. A leaf.
    target("ToDoSupport", tests: []),
    // SQLite's C interface in Swift: connections, statements, errors. It knows no table of the stores.
    target("ToDoSQLite", ["CToDoSQLite", "ToDoSupport"], tests: ["CToDoSQLite"]),
    target("ToDoModel", tests: []),
    // What a sentence such as "Dinner tomorrow 19:00 @Rossi" says about an item. A leaf, because it is a pure function.
    target("ToDoQuickAdd", ["ToDoModel"], tests: ["ToDoModel"], testData: ["Phrases"]),
    target(
      "ToDoRules", ["ToDoModel", "ToDoSupport"], tests: ["ToDoModel", "ToDoStores", "ToDoSupport"],
      testData: ["Repetition/occurrences.tsv"]),
    // Messages of protobuf-c in an arena, which both the RPC core and the codecs of the schema use.
    target("ToDoProtobuf", ["CToDoProtos", "NIOCore"], tests: ["CToDoProtos"]),
    // JSON of messages. Only HTTP needs it.
    target(
      "ToDoProtobufJSON", ["CToDoProtos", "ToDoProtobuf", "NIOCore"],
      tests: ["CToDoProtos", "CToDoSchema", "ToDoProtobuf", "NIOCore"], testData: ["Messages"]),
    target(
      "ToDoRPC",
      [
        "CToDoProtos", "ToDoProtobuf", "ToDoSupport", "Instrumentation", "Logging", "CoreMetrics", "NIOCore",
        "ServiceContextModule", "Tracing",
      ],
      tests: [
        "CToDoProtos", "ToDoProtobuf", "ToDoSupport", "Logging", "CoreMetrics", "NIOCore", "NIOEmbedded",
        "InMemoryLogging", "InMemoryTracing", "MetricsTestKit",
      ]),
    target(
      "ToDoTTRPC", ["CToDoProtos", "ToDoProtobuf", "ToDoRPC", "NIOCore"],
      tests: ["CToDoProtos", "ToDoProtobuf", "ToDoRPC", "NIOCore", "NIOTestUtils"]),
    // Messages compressed with gzip. Empty without a part that needs it.
    target("ToDoCompression", ["CToDoZlib", "NIOCore"], tests: ["NIOCore"]),
    // Listening, connecting and TLS, whatever protocol the connection speaks.
    target(
      "ToDoTransport",
      [
        "ToDoProtobuf", "ToDoRPC", "ToDoSupport", "NIOCore", "NIOPosix", "NIOSSL", "NIOTLS", "SwiftASN1", "Logging",
      ],
      tests: [
        "ToDoRPC", "ToDoSupport", "ToDoTTRPCTransport", "ToDoTestCertificates", "ToDoTestServers", "Logging", "NIOCore",
        "NIOEmbedded", "NIOPosix", "NIOSSL", "NIOTLS",
      ], testData: ["TLS/CertificateSubjects.json"]),
    target(
      "ToDoTTRPCTransport",
      ["ToDoProtobuf", "ToDoRPC", "ToDoSupport", "ToDoTTRPC", "ToDoTransport", "NIOCore", "NIOPosix", "Logging"],
      tests: [
        "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoSupport", "ToDoTTRPC",
        "ToDoTestServers", "ToDoTransport", "Logging", "NIOCore", "NIOEmbedded", "NIOPosix",
      ]),
    target(
      "ToDoProtocol", ["CToDoProtos", "ToDoModel", "ToDoProtobuf", "ToDoRPC", "ToDoTTRPC"],
      tests: ["CToDoProtos", "ToDoModel", "ToDoProtobuf", "ToDoRPC", "ToDoTTRPC", "NIOCore"]),
    target(
      "ToDoClient",
      [
        "ToDoModel", "ToDoProtocol", "ToDoRPC", "ToDoSupport", "ToDoTTRPC", "ToDoTTRPCTransport", "ToDoTransport",
        "Logging", "NIOCore", "NIOPosix",
      ],
      tests: [
        "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoTTRPC",
        "ToDoTTRPCTransport", "ToDoTestServers", "ToDoTransport", "NIOCore",
      ]),
    target(
      "ToDoServer",
      [
        "CToDoSodium", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoQuickAdd", "ToDoRPC", "ToDoRules",
        "ToDoSupport", "ToDoTTRPCTransport", "ToDoText", "ToDoTransport", "Logging", "CoreMetrics", "NIOCore",
        "NIOPosix", "Tracing",
      ], linkerSettings: [.linkedLibrary(":libsodium.a")],
      tests: [
        "ToDoClient", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoStores", "ToDoSupport",
        "ToDoTestServers", "ToDoTransport", "Logging", "NIOCore", "NIOEmbedded", "NIOPosix",
      ]),
    // The schema's own description, for gRPC's server reflection: made by Protos/generate.
    target("CToDoSchema", exclude: ["schema.binpb"]),
    target(
      "ToDoGRPCTransport",
      [
        "CToDoProtos", "CToDoSchema", "ToDoCompression", "ToDoProtobuf", "ToDoRPC", "ToDoSupport", "ToDoTransport",
        "Logging", "NIOCore", "NIOHPACK", "NIOHTTP2", "NIOPosix", "NIOTLS",
      ],
      tests: [
        "ToDoCompression", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoServer",
        "ToDoStores", "ToDoSupport", "ToDoTestCertificates", "ToDoTestServers", "ToDoTransport", "Logging", "NIOCore",
        "NIOEmbedded", "NIOHPACK", "NIOHTTP2",
      ]),
    // Connect, gRPC-Web and endpoints of other requests.
    target(
      "ToDoHTTPTransport",
      [
        "CToDoProtos", "ToDoCompression", "ToDoGRPCTransport", "ToDoProtobuf", "ToDoProtobufJSON", "ToDoRPC",
        "ToDoSupport", "ToDoTransport", "Logging", "NIOCore", "NIOHPACK", "NIOHTTP1", "NIOHTTP2", "NIOPosix",
      ],
      tests: [
        "CToDoProtos", "CToDoSchema", "ToDoCompression", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC",
        "ToDoRules", "ToDoServer",
        "ToDoStores", "ToDoSupport", "ToDoTestCertificates", "ToDoTestServers", "ToDoTransport", "Logging", "NIOCore",
        "NIOEmbedded", "NIOHPACK", "NIOHTTP1", "NIOPosix",
      ]),
    // Items as a calendar, to which other programs subscribe. A pure function.
    target(
      "ToDoCalendar", ["ToDoModel"], tests: ["ToDoModel", "ToDoRules"], testData: ["Golden"]),
    // Metrics as text for Prometheus. A leaf.
    target("ToDoPrometheus", ["CoreMetrics"], tests: ["CoreMetrics"]),
    target(
      "ToDoStores", ["ToDoModel", "ToDoRules", "ToDoSQLite", "ToDoSupport", "DequeModule"],
      tests: ["ToDoModel", "ToDoRules", "ToDoSQLite"], testData: ["Golden"]),
    // Not a part of ToDoStores, because the command links that, and must not need libpq.
    target(
      "ToDoPostgreSQLStore", ["ToDoModel", "ToDoPostgreSQL", "ToDoRules", "ToDoStores", "ToDoSupport"],
      tests: [
        "ToDoModel", "ToDoPostgreSQL", "ToDoRules", "ToDoSQLite", "ToDoStores", "ToDoSupport", "ToDoTestPostgreSQL",
        "ToDoTestProcesses",
      ], testData: ["Golden"]),
    // Coastlines and borders for maps, made by the script beside them.
    target("CToDoGazetteer", exclude: ["gazetteer.bin", "make-gazetteer", "regions.txt"]),
    target("CToDoWorldMap", exclude: ["make-world-map", "world.bin"]),
    // The page that the server's HTTP port shows in a browser.
    target("CToDoPage", exclude: ["make-table", "page"]),
    // The description of the HTTP port's JSON: made by Protos/openapi.
    target("CToDoOpenAPI", exclude: ["openapi.json.gz"]),
    // Reports crashes, in C, as a handler of signals may run little of Swift.
    target("CToDoCrashReport"),
    // Releases memory that only the start of a program uses. In C, because Swift cannot import the ELF headers.
    target("CToDoProcessMemory"),
    // A client for single requests. Empty without the trait Nominatim.
    target(
      "ToDoHTTP", ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"],
      tests: ["ToDoTestCertificates", "ToDoTestHTTP", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"]),
    target(
      "ToDoGeocoders", ["CToDoGazetteer", "ToDoHTTP", "ToDoModel", "ToDoRules", "ToDoSQLite", "ToDoSupport"],
      tests: ["ToDoHTTP", "ToDoModel", "ToDoRules", "ToDoSQLite", "ToDoTestHTTP", "NIOHTTP1"],
      testData: ["Gazetteer/places.tsv"]),
    // One message to a mail server. Without the trait Nominatim, it has no connections.
    target(
      "ToDoSMTP", ["ToDoHTTP", "ToDoModel", "NIOCore", "NIOPosix", "NIOSSL", "NIOTLS"],
      tests: ["ToDoModel", "ToDoTestCertificates", "ToDoTestSMTP", "NIOCore", "NIOEmbedded", "NIOSSL"]),
    // Reminders that leave the server: what is due, messages, deliveries.
    target(
      "ToDoNotifications",
      [
        "CToDoSodium", "ToDoHTTP", "ToDoModel", "ToDoRules", "ToDoSMTP", "ToDoSupport", "CoreMetrics", "Logging",
        "NIOCore",
      ],
      linkerSettings: [.linkedLibrary(":libsodium.a")],
      tests: [
        "ToDoHTTP", "ToDoModel", "ToDoRules", "ToDoSMTP", "ToDoStores", "ToDoSupport", "ToDoTestHTTP", "ToDoTestSMTP",
        "CoreMetrics", "InMemoryLogging", "Logging", "MetricsTestKit", "NIOHTTP1",
      ]),
    // Items, dates and maps as text and as JSON.
    target(
      "ToDoText", ["CToDoWorldMap", "ToDoModel", "ToDoQuickAdd"], tests: ["ToDoModel", "ToDoTestScreens"],
      testData: ["Golden"]),
    // The screens of `todo ui` as pure state machines.
    target(
      "ToDoScreens", ["ToDoModel", "ToDoText"], tests: ["ToDoModel", "ToDoTestScreens", "ToDoText"],
      testData: ["Golden"]),
    target(
      "todo",
      [
        "CToDoProcessMemory", "ToDoClient", "ToDoGeocoders", "ToDoModel", "ToDoProtocol", "ToDoRPC", "ToDoRules",
        "ToDoScreens", "ToDoStores", "ToDoSupport", "ToDoText", "ToDoTransport", "ArgumentParser", "Logging",
      ], isProgram: true, exclude: ["README.md", "make-picture", "todo.svg"],
      tests: [
        "ToDoClient", "ToDoGeocoders", "ToDoModel", "ToDoRPC", "ToDoRules", "ToDoScreens", "ToDoStores", "ToDoSupport",
        "ToDoTestHTTP", "ToDoTestProcesses", "ToDoTestScreens", "ToDoText", "ToDoTransport", "ArgumentParser",
        "NIOHTTP1",
      ], testData: ["Golden"]),
    target(
      "todo-server",
      [
        "CToDoCrashReport", "CToDoOpenAPI", "CToDoPage", "CToDoProcessMemory", "ToDoCalendar", "ToDoGRPCTransport",
        "ToDoGeocoders", "ToDoHTTPTransport", "ToDoModel", "ToDoNotifications", "ToDoPostgreSQLStore", "ToDoPrometheus",
        "ToDoRPC", "ToDoRules", "ToDoSMTP", "ToDoServer", "ToDoStores", "ToDoSupport", "ToDoText", "ToDoTransport",
        "ArgumentParser", "Configuration", "CoreMetrics", "Logging", "NIOCore", "NIOPosix", "ServiceLifecycle",
        "UnixSignals",
      ], isProgram: true, exclude: ["README.md"],
      tests: [
        "ToDoClient", "ToDoHTTPTransport", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules",
        "ToDoSMTP", "ToDoSQLite", "ToDoServer", "ToDoStores", "ToDoTTRPCTransport", "ToDoTestProcesses",
        "ToDoTestServers", "ToDoTransport", "Configuration",
        "Instrumentation", "Logging", "CoreMetrics", "NIOCore", "NIOPosix", "ServiceContextModule", "Tracing",
        "InMemoryTracing", "MetricsTestKit",
      ]),
    target(
      "todo-load",
      [
        "ToDoClient", "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoSupport", "ToDoTTRPC",
        "ToDoTTRPCTransport", "ToDoTransport", "ArgumentParser", "Histogram", "Logging", "NIOCore", "NIOPosix",
        "UnixSignals",
      ], isProgram: true, exclude: ["README.md"],
      tests: [
        "ToDoClient", "ToDoModel", "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoSupport", "ToDoTTRPC",
        "ToDoTTRPCTransport", "ToDoTransport", "ArgumentParser", "Histogram", "Logging", "NIOPosix",
      ], testData: ["Golden"]),
    // What tests of other packages use, too: the contracts, doubles, clocks.
    target("ToDoTesting", ["ToDoModel", "ToDoRules", "ToDoStores", "ToDoSupport"]),
    testSupport("ToDoTestSupport", ["ToDoModel", "ToDoRules", "ToDoSupport", "ToDoTesting"]),
    [.testTarget(name: "ToDoTestSupportTests", dependencies: ["ToDoTestSupport"])],
    // Child processes. A leaf, because benchmarks and the servers of PostgreSQL's tests use it.
    testSupport("ToDoTestProcesses"),
    // Servers, clients and programs that a test starts.
    testSupport(
      "ToDoTestServers",
      [
        "ToDoClient", "ToDoGRPCTransport", "ToDoHTTPTransport", "ToDoModel", "ToDoProtobuf", "ToDoProtobufJSON",
        "ToDoProtocol", "ToDoRPC",
        "ToDoServer", "ToDoSupport", "ToDoTTRPC", "ToDoTTRPCTransport", "ToDoTestCertificates", "ToDoTestProcesses",
        "ToDoTestSupport", "ToDoTransport", "Logging", "NIOCore", "NIOHPACK", "NIOHTTP1", "NIOHTTP2", "NIOPosix",
        "NIOSSL",
      ]),
    testSupport("ToDoTestCertificates", ["ToDoTestProcesses"]),
    // An HTTP server that sends what a test says.
    testSupport(
      "ToDoTestHTTP", ["ToDoTestCertificates", "ToDoTestSupport", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"]),
    // A mail server that answers as a test says.
    testSupport("ToDoTestSMTP", ["ToDoTestCertificates", "ToDoTestSupport", "NIOCore", "NIOPosix", "NIOSSL"]),
    // Time zones, towns and a terminal for tests of texts and screens.
    testSupport("ToDoTestScreens", ["ToDoModel", "ToDoRules", "ToDoScreens", "ToDoText"]),
    [
      .testTarget(
        name: "EndToEndTests",
        dependencies: [
          "ToDoClient", "ToDoGRPCTransport", "ToDoModel", "ToDoPostgreSQLStore", "ToDoProtobuf", "ToDoProtocol",
          "ToDoQuickAdd",
          "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoTTRPCTransport", "ToDoTestCertificates",
          "ToDoTestHTTP", "ToDoTestPostgreSQL", "ToDoTestProcesses", "ToDoTestSMTP", "ToDoTestServers",
          "ToDoTestSupport",
          "ToDoText", "ToDoTransport", "Logging", "NIOCore", "NIOEmbedded", "NIOHPACK", "NIOHTTP1", "NIOPosix",
        ])
    ],
    // A private PostgreSQL server of the test process.
    testSupport("ToDoTestPostgreSQL", ["ToDoPostgreSQL", "ToDoTestProcesses"]),
    [
      .target(
        name: "FuzzTargets",
        dependencies: [
          "CToDoProtos", "ToDoCompression", "ToDoGRPCTransport", "ToDoHTTPTransport", "ToDoModel", "ToDoProtobuf",
          "ToDoProtobufJSON", "ToDoProtocol", "ToDoQuickAdd", "ToDoRPC", "ToDoRules", "ToDoSupport", "ToDoTTRPC",
          "ToDoText",
          "Logging", "NIOCore", "NIOEmbedded", "NIOHPACK",
        ], path: "Tests/Fuzz/FuzzTargets")
    ],
    developerProgram("fuzz", ["FuzzTargets"], path: "Tests/Fuzz/FuzzMain"),
    [.testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "ToDoTestSupport"], path: "Tests/Fuzz/FuzzTests")],
    // The server that Connect's conformance runner tests, and the messages of its service.
    developerProgram(
      "ConformanceServer",
      [
        "CToDoConformance", "CToDoProtos", "ToDoHTTPTransport", "ToDoProtobuf", "ToDoProtobufJSON", "ToDoRPC",
        "ToDoSupport", "ToDoTransport", "Logging", "NIOPosix",
      ], path: "Tests/Interop/connect-conformance/ConformanceServer",
      with: [
        .target(
          name: "CToDoConformance", dependencies: ["CToDoProtos", "CToDoProtobufC"],
          path: "Tests/Interop/connect-conformance/CToDoConformance")
      ]),
    developerProgram(
      "GeocoderBenchmarks", ["ToDoGeocoders", "ToDoModel"], path: "Tests/Benchmarks/GeocoderBenchmarks"),
    developerProgram(
      "MessageBenchmarks",
      [
        "ToDoModel", "ToDoProtobuf", "ToDoProtocol", "ToDoRPC", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoTTRPC",
        "ToDoTTRPCTransport", "Logging", "NIOCore", "NIOEmbedded",
      ], path: "Tests/Benchmarks/MessageBenchmarks"),
    developerProgram("RepetitionPrinter", ["ToDoModel", "ToDoRules"], path: "Tests/Repetition/RepetitionPrinter"),
    developerProgram(
      "StoreBenchmarks", ["ToDoModel", "ToDoRules", "ToDoStores"], path: "Tests/Benchmarks/StoreBenchmarks"),
    developerProgram(
      "WatchBenchmarks", ["ToDoClient", "ToDoModel", "ToDoTestProcesses", "ToDoTransport"],
      path: "Tests/Benchmarks/WatchBenchmarks"),
  ].flatMap(\.self)
)

for target in package.targets where target.type != .system {
  target.dependencies = target.dependencies.map(resolved)
  target.cSettings = [.treatAllWarnings(as: .error)]
  // Nothing is implicit, and nothing is only a warning.
  target.swiftSettings =
    [
      .treatAllWarnings(as: .error),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ] + parts.map { .define($0.key, .when(traits: ["Complete"])) }
}

// The sanitizers build only the tests in which they can find errors: TEST_TARGETS names these.
if let names = Context.environment["TEST_TARGETS"]?.split(whereSeparator: \.isWhitespace) {
  package.targets.removeAll { target in target.type == .test && !names.contains(Substring(target.name)) }
}
