// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The engine's own libraries also mark every unsafe expression, so that `grep unsafe` finds each place to argue about.
let engineSettings = settings + [.strictMemorySafety()]

/// Targets of this package that a target uses with the trait Modules; without it none of them is built for that target.
func modules(_ names: String...) -> [Target.Dependency] {
    names.map { .target(name: $0, condition: .when(traits: ["Modules"])) }
}

/// Products of other packages, by package, that a target uses with a trait; without the trait nothing of them is built.
func products(with trait: String, _ names: KeyValuePairs<String, [String]>) -> [Target.Dependency] {
    products(withAny: [trait], names)
}

func products(withAny traits: Set<String>, _ names: KeyValuePairs<String, [String]>) -> [Target.Dependency] {
    names.flatMap { package, names in
        names.map { .product(name: $0, package: package, condition: .when(traits: traits)) }
    }
}

let package = Package(
    name: "shunt",
    // What `InlineArray` and `Synchronization` need; Linux has no versions.
    platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
    products: [
        .library(name: "Shunt", targets: ["Shunt", "ShuntRouting"]),
        .library(name: "ShuntInterfaces", targets: ["ShuntInterfaces"]),
        .library(name: "ShuntModules", targets: ["ShuntModules", "ShuntModulesTesting"]),
        .library(name: "ShuntLinks", targets: ["ShuntLinks"]),
        .library(name: "ShuntAppLinks", targets: ["ShuntAppLinks"]),
        .library(name: "ShuntServices", targets: ["ShuntServices"]),
        .library(name: "ShuntHummingbird", targets: ["ShuntHummingbird"]),
        .library(name: "ShuntTools", targets: ["ShuntTools"]),
        .library(name: "ShuntFleet", targets: ["ShuntFleet"]),
        .library(name: "ShuntGateway", targets: ["ShuntGateway"]),
        .library(name: "ShuntC", type: .dynamic, targets: ["ShuntC"]),
        .executable(name: "shunt", targets: ["ShuntCommand"]),
    ],
    traits: [
        .default(enabledTraits: []),
        .trait(name: "Command", description: "The commands of `shunt`."),
        .trait(
            name: "Reloading",
            description: "ShuntServices: a service that keeps rules up to date, with a log and metrics."
        ),
        .trait(name: "Hummingbird", description: "ShuntHummingbird: the rules in front of a Hummingbird router."),
        .trait(name: "Modules", description: "ShuntHummingbird and ShuntServices: modules, as well as rules."),
        .trait(
            name: "Client",
            description: "ShuntServices: actions of modules that a server answers over HTTP.",
            enabledTraits: ["Modules"]
        ),
        .trait(
            name: "ModuleService",
            description: "ShuntServices: modules as a service, with a log, metrics and spans.",
            enabledTraits: ["Modules"]
        ),
        .trait(
            name: "Fleet",
            description: "ShuntFleet: signed releases of rules for many nodes."
        ),
        .trait(
            name: "Gateway",
            description: "ShuntGateway, and `shunt serve`: a gateway in front of any HTTP service.",
            enabledTraits: ["Command", "Hummingbird", "Reloading"]
        ),
    ],
    dependencies: [
        // For traits: none of these is resolved or built without one.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.13.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.10.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Engine: no Foundation, nothing but PCRE2. Each target depends only on those above it.
        .systemLibrary(
            name: "CPCRE2",
            pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev", "pkg-config"]), .brew(["pcre2"])]
        ),
        .target(name: "ShuntCore", dependencies: ["CMemory"], swiftSettings: engineSettings),
        .target(name: "ShuntPatterns", dependencies: ["CPCRE2", "ShuntCore"], swiftSettings: engineSettings),
        .target(name: "ShuntRouting", dependencies: ["ShuntCore", "ShuntPatterns"], swiftSettings: engineSettings),
        .target(
            name: "ShuntRules",
            dependencies: ["ShuntCore", "ShuntPatterns", "ShuntRouting"],
            swiftSettings: engineSettings
        ),
        .target(
            name: "Shunt",
            dependencies: ["CMemory", "ShuntCore", "ShuntPatterns", "ShuntRules", "ShuntRouting"],
            swiftSettings: engineSettings
        ),
        .target(
            name: "ShuntTools",
            dependencies: ["Shunt", "ShuntCore", "ShuntPatterns", "ShuntRouting", "ShuntRules"],
            // What lint says of its checks stands in their page alone.
            resources: [.embedInCode("ShuntTools.docc/Checks.md")],
            swiftSettings: engineSettings
        ),

        // The engine for other languages: a header in C, and what it declares in Swift; before Swift 6.3, which can check one against
        // the other, an empty module. Nothing in it is marked as unsafe, because all of it is: it reads what callers in C point to.
        .target(name: "CShunt", dependencies: ["CVersion"]),
        .target(
            name: "ShuntC",
            dependencies: ["CShunt", "Shunt", "ShuntCore", "ShuntRouting", "ShuntRules"],
            swiftSettings: settings
        ),

        // Modules: no PCRE2 either, but for the links to them. Web pages reach modules without a network here: the client of the page is
        // a part of the program.
        .target(name: "ShuntInterfaces", swiftSettings: engineSettings),
        .target(name: "ShuntModules", dependencies: ["ShuntCore", "ShuntInterfaces"], swiftSettings: engineSettings),
        .target(
            name: "ShuntLinks",
            dependencies: ["Shunt", "ShuntCore", "ShuntInterfaces", "ShuntModules", "ShuntRouting", "ShuntRules"],
            resources: [.embedInCode("Bridge/Files")],
            swiftSettings: engineSettings
        ),
        .target(
            name: "ShuntAppLinks",
            dependencies: [
                "Shunt", "ShuntCore", "ShuntInterfaces", "ShuntLinks", "ShuntPatterns", "ShuntRouting", "ShuntRules",
            ],
            swiftSettings: engineSettings
        ),
        .target(name: "ShuntModulesTesting", dependencies: ["ShuntModules"], swiftSettings: engineSettings),

        // Behind traits: without its trait each of these is an empty module.
        .target(
            name: "ShuntServices",
            dependencies: ["Shunt", "ShuntCore", "ShuntRouting", "ShuntRules"]
                + modules("ShuntInterfaces", "ShuntLinks", "ShuntModules")
                + products(
                    withAny: ["Reloading", "ModuleService"],
                    [
                        "swift-metrics": ["CoreMetrics"], "swift-log": ["Logging"],
                        "swift-service-lifecycle": ["ServiceLifecycle"],
                    ]
                )
                + products(with: "Reloading", ["swift-service-lifecycle": ["UnixSignals"]])
                + products(with: "ModuleService", ["swift-distributed-tracing": ["Tracing"]])
                + products(
                    with: "Client",
                    [
                        "async-http-client": ["AsyncHTTPClient"], "swift-http-types": ["HTTPTypes"],
                        "swift-nio": ["NIOCore", "NIOHTTP1"],
                    ]
                ),
            swiftSettings: settings
        ),
        .target(
            name: "ShuntHummingbird",
            dependencies: ["Shunt", "ShuntRules"]
                + modules("ShuntAppLinks", "ShuntInterfaces", "ShuntLinks", "ShuntModules")
                + products(
                    with: "Hummingbird",
                    [
                        "swift-http-types": ["HTTPTypes"], "hummingbird": ["Hummingbird", "HummingbirdCore"],
                        "swift-log": ["Logging"], "swift-nio": ["NIOCore", "NIOHTTP1", "NIOWebSocket"],
                        "swift-distributed-tracing": ["Tracing"],
                    ]
                ),
            swiftSettings: settings
        ),
        .target(
            name: "ShuntFleet",
            dependencies: ["Shunt", "ShuntCore", "ShuntRouting"]
                + products(
                    with: "Fleet",
                    [
                        "async-http-client": ["AsyncHTTPClient"], "swift-crypto": ["Crypto"],
                        "swift-nio": ["NIOCore", "NIOHTTP1", "NIOPosix"], "swift-nio-ssl": ["NIOSSL"],
                    ]
                ),
            swiftSettings: settings
        ),
        .target(name: "CMemory"),
        // The commit is a part of the program if scripts/build-static names it.
        .target(
            name: "CVersion",
            cSettings: Context.environment["SHUNT_COMMIT"].map { [.define("SHUNT_COMMIT", to: "\"\($0)\"")] }
        ),
        .target(
            name: "ShuntGateway",
            dependencies: ["CVersion", "Shunt", "ShuntHummingbird", "ShuntPatterns", "ShuntServices", "ShuntTools"]
                + products(
                    with: "Gateway",
                    [
                        "swift-http-types": ["HTTPTypes"],
                        "hummingbird": ["Hummingbird"], "swift-crypto": ["Crypto"], "swift-log": ["Logging"],
                        "swift-nio": ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOTLS"], "swift-nio-ssl": ["NIOSSL"],
                        "swift-service-lifecycle": ["ServiceLifecycle", "UnixSignals"],
                    ]
                ),
            // The page of the admin listener: files that become a part of the program.
            resources: [.embedInCode("Page/Files")],
            swiftSettings: settings
        ),

        // Counts the allocations of a program that links it, for `shunt bench` and for tests that allow none.
        .target(name: "CAllocationCounter"),

        // Programs.
        .executableTarget(
            name: "ShuntCommand",
            dependencies: [
                "CAllocationCounter", "CPCRE2", "CVersion", "Shunt", "ShuntAppLinks", "ShuntFleet", "ShuntGateway",
                "ShuntPatterns", "ShuntTools",
            ] + products(with: "Command", ["swift-argument-parser": ["ArgumentParser"]])
                + products(with: "Gateway", ["swift-log": ["Logging"]]),
            swiftSettings: settings
        ),

        // Tests, one target for each target above.
        .testTarget(name: "ShuntCoreTests", dependencies: ["SeededRandom", "ShuntCore"], swiftSettings: settings),
        .testTarget(
            name: "ShuntPatternsTests",
            dependencies: ["CAllocationCounter", "SeededRandom", "ShuntCore", "ShuntPatterns", "TestSettings"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntRoutingTests",
            dependencies: ["CAllocationCounter", "SeededRandom", "ShuntRouting"],
            swiftSettings: settings
        ),
        .testTarget(name: "ShuntRulesTests", dependencies: ["ShuntRules", "TestSettings"], swiftSettings: settings),
        .testTarget(
            name: "ShuntTests",
            dependencies: [
                "CAllocationCounter", "LastKnownGoodWriter", "SeededRandom", "Shunt", "ShuntTools", "TestFolder",
                "TestSettings",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntCTests",
            dependencies: ["CShunt", "SeededRandom", "Shunt", "ShuntC", "TestFolder", "TestSettings"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntReleaseTests",
            dependencies: ["SeededRandom", "ShuntCore", "ShuntFleet", "TestSettings"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntFleetTests",
            dependencies: [
                "NginxOracle", "SeededRandom", "Shunt", "ShuntCore", "ShuntFleet", "TestFolder", "TestSettings",
            ]
                + products(with: "Fleet", ["swift-nio": ["NIOCore", "NIOHTTP1", "NIOPosix"]]),
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntToolsTests",
            dependencies: [
                "CAllocationCounter", "SeededRandom", "Shunt", "ShuntCore", "ShuntPatterns", "ShuntRouting",
                "ShuntRules",
                "ShuntTools", "TestSettings",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntLinksTests",
            dependencies: [
                "SeededRandom", "Shunt", "ShuntCore", "ShuntInterfaces", "ShuntLinks", "ShuntModules",
                "ShuntModulesTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntAppLinksTests",
            dependencies: [
                "SeededRandom", "Shunt", "ShuntAppLinks", "ShuntInterfaces", "ShuntLinks", "ShuntModules",
                "TestSettings",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntModulesTests",
            dependencies: ["SeededRandom", "ShuntModules", "ShuntModulesTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntServicesTests",
            dependencies: [
                "Shunt", "ShuntInterfaces", "ShuntLinks", "ShuntModules", "ShuntModulesTesting", "ShuntServices",
            ]
                + products(
                    withAny: ["Reloading", "ModuleService"],
                    [
                        "swift-log": ["InMemoryLogging", "Logging"], "swift-metrics": ["MetricsTestKit"],
                        "swift-service-lifecycle": ["ServiceLifecycle", "ServiceLifecycleTestKit"],
                    ]
                )
                + products(
                    with: "ModuleService",
                    ["swift-metrics": ["CoreMetrics"], "swift-distributed-tracing": ["InMemoryTracing", "Tracing"]]
                )
                + products(
                    with: "Client",
                    [
                        "async-http-client": ["AsyncHTTPClient"], "swift-http-types": ["HTTPTypes"],
                        "swift-nio": ["NIOCore", "NIOHTTP1", "NIOPosix"],
                    ]
                ),
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntHummingbirdTests",
            dependencies: [
                "Shunt", "ShuntAppLinks", "ShuntHummingbird", "ShuntInterfaces", "ShuntLinks",
                "ShuntModules",
            ]
                + products(
                    with: "Hummingbird",
                    [
                        "swift-http-types": ["HTTPTypes"], "hummingbird": ["Hummingbird", "HummingbirdTesting"],
                        "swift-distributed-tracing": ["InMemoryTracing", "Instrumentation", "Tracing"],
                        "swift-log": ["Logging"], "swift-nio": ["NIOCore", "NIOWebSocket"],
                    ]
                ),
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntGatewayTests",
            dependencies: [
                "CAllocationCounter", "NginxOracle", "SeededRandom", "Shunt", "ShuntFleet",
                "ShuntGateway", "ShuntHummingbird", "ShuntInterfaces", "ShuntLinks", "ShuntModules", "TestFolder",
                "TestSettings",
            ]
                + products(
                    with: "Gateway",
                    [
                        "async-http-client": ["AsyncHTTPClient"], "hummingbird": ["Hummingbird", "HummingbirdCore"],
                        "swift-log": ["Logging"],
                        "swift-nio": ["NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix", "NIOTLS"],
                        "swift-nio-ssl": ["NIOSSL"],
                        "swift-service-lifecycle": ["ServiceLifecycle"],
                    ]
                ),
            swiftSettings: settings
        ),
        // Killed again and again by a test, to see what it leaves on the disk.
        .executableTarget(
            name: "LastKnownGoodWriter",
            dependencies: ["Shunt"],
            path: "Tests/Support/LastKnownGoodWriter",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntCommandTests",
            dependencies: ["SeededRandom", "Shunt", "ShuntCommand", "TestFolder", "TestSettings"],
            swiftSettings: settings
        ),

        // The settings of tests, which are variables of the environment.
        .target(name: "TestSettings", path: "Tests/Support/TestSettings", swiftSettings: settings),

        // Folders that tests work in.
        .target(name: "TestFolder", path: "Tests/Support/TestFolder", swiftSettings: settings),

        // Random numbers that a seed repeats.
        .target(name: "SeededRandom", path: "Tests/Support/SeededRandom", swiftSettings: settings),

        // The same decisions as nginx: case files and random rule sets, asked of both.
        .target(
            name: "NginxOracle",
            dependencies: ["SeededRandom", "TestFolder"],
            path: "Tests/Support/NginxOracle",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShuntConformanceTests",
            dependencies: ["NginxOracle", "Shunt", "TestSettings"],
            swiftSettings: settings
        ),

        // What the documents show, run.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "NginxOracle", "Shunt", "ShuntAppLinks", "ShuntCommand", "ShuntLinks", "ShuntModules",
                "ShuntModulesTesting", "ShuntTools", "TestFolder", "TestSettings",
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The folder of a package CPCRE2 with a product of this name: a copy of PCRE2 that the embedder supplies instead of the system's.
if let folder = Context.environment["SHUNT_PCRE2"] {
    package.targets.removeAll { $0.name == "CPCRE2" }
    package.dependencies.append(.package(name: "CPCRE2", path: folder))
}
