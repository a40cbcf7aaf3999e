// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let shunt: Target.Dependency = .product(name: "Shunt", package: "shunt")
let benchmark: Target.Dependency = .product(name: "Benchmark", package: "benchmark")

// A separate package, so that a program that uses Shunt fetches none of this.
let package = Package(
    name: "shunt-benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "shunt", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Without its traits: nothing is put between the program and its memory.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
        // The peer in Swift.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        // Rules and URLs, made from a seed; no measuring.
        .target(
            name: "Workloads",
            dependencies: [shunt],
            swiftSettings: settings
        ),
        // Clocks, rounds and memory.
        .target(name: "CAllocator"),
        .target(name: "Measurement", dependencies: ["CAllocator"], swiftSettings: settings),
        // Servers that get requests, and their processor time.
        .target(name: "Servers", swiftSettings: settings),

        // Shunt and its peers, in turns, in one run.
        .executableTarget(
            name: "compare",
            dependencies: [
                "Measurement",
                "Servers",
                "Workloads",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                shunt,
            ],
            path: "Sources/Compare",
            swiftSettings: settings
        ),

        // Counts allocations: the target of the tests, under another name.
        .target(name: "CAllocationCount", path: "Sources/CAllocationCounter"),
        .target(name: "CCallgrind"),
        // Rule sets as people have them.
        .executableTarget(
            name: "sets",
            dependencies: [
                "CAllocationCount",
                "CCallgrind",
                "Measurement",
                "Servers",
                "Workloads",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                shunt,
                .product(name: "ShuntTools", package: "shunt"),
            ],
            path: "Sources/Sets",
            swiftSettings: settings
        ),
        // One workload a process: for callgrind, and for the memory of a rule set.
        .executableTarget(
            name: "single",
            dependencies: ["Measurement", "Workloads", .product(name: "Shunt", package: "shunt")],
            path: "Sources/Single",
            swiftSettings: settings
        ),

        // One entry point and one long input a process: for callgrind.
        .executableTarget(
            name: "single-walk",
            dependencies: [
                .product(name: "Shunt", package: "shunt"),
                .product(name: "ShuntAppLinks", package: "shunt"),
                .product(name: "ShuntLinks", package: "shunt"),
                .product(name: "ShuntModules", package: "shunt"),
            ],
            path: "Sources/SingleWalk",
            swiftSettings: settings
        ),

        .target(name: "COneThread"),
        // One kind of call of modules a process: for callgrind.
        .executableTarget(
            name: "single-call",
            dependencies: ["COneThread", .product(name: "ShuntModules", package: "shunt")],
            path: "Sources/SingleCall",
            swiftSettings: settings
        ),

        // Tables of routes, and Shunt and its peers on them, in turns, in one run.
        .target(
            name: "RouteTables",
            dependencies: ["Workloads", .product(name: "Shunt", package: "shunt")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "count-routes",
            dependencies: ["RouteTables"],
            path: "Sources/CountRoutes",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "compare-routes",
            dependencies: [
                "Measurement",
                "RouteTables",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            path: "Sources/CompareRoutes",
            swiftSettings: settings
        ),

        // `swift package benchmark`: one version of Shunt against another.
        .executableTarget(
            name: "RuleBenchmarks",
            dependencies: [
                "Workloads",
                benchmark,
                shunt,
            ],
            path: "Benchmarks/RuleBenchmarks",
            swiftSettings: settings,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "RouteBenchmarks",
            dependencies: ["RouteTables", benchmark],
            path: "Benchmarks/RouteBenchmarks",
            swiftSettings: settings,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
