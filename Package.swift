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

let package = Package(
    name: "shunt",
    products: [
        .library(name: "Shunt", targets: ["Shunt"]),
        .library(name: "ShuntRouting", targets: ["ShuntRouting"]),
        .executable(name: "shunt", targets: ["ShuntCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // Engine: no Foundation, nothing but PCRE2. Each target depends only on those above it.
        .systemLibrary(
            name: "CPCRE2",
            pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev", "pkg-config"]), .brew(["pcre2"])]
        ),
        .target(name: "ShuntCore", swiftSettings: engineSettings),
        .target(name: "ShuntPatterns", dependencies: ["CPCRE2", "ShuntCore"], swiftSettings: engineSettings),
        .target(name: "ShuntRouting", dependencies: ["ShuntCore", "ShuntPatterns"], swiftSettings: engineSettings),
        .target(
            name: "ShuntRules",
            dependencies: ["ShuntCore", "ShuntPatterns", "ShuntRouting"],
            swiftSettings: engineSettings
        ),
        .target(
            name: "Shunt",
            dependencies: ["ShuntCore", "ShuntPatterns", "ShuntRules", "ShuntRouting"],
            swiftSettings: engineSettings
        ),

        // Programs.
        .executableTarget(
            name: "ShuntCommand",
            dependencies: ["Shunt", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings
        ),

        // Tests, one target for each target above.
        .testTarget(name: "ShuntCoreTests", dependencies: ["ShuntCore"], swiftSettings: settings),
        .testTarget(name: "ShuntPatternsTests", dependencies: ["ShuntPatterns"], swiftSettings: settings),
        .testTarget(name: "ShuntRoutingTests", dependencies: ["ShuntRouting"], swiftSettings: settings),
        .testTarget(name: "ShuntRulesTests", dependencies: ["ShuntRules"], swiftSettings: settings),
        .testTarget(name: "ShuntTests", dependencies: ["Shunt"], swiftSettings: settings),
        .testTarget(name: "ShuntCommandTests", dependencies: ["Shunt", "ShuntCommand"], swiftSettings: settings),

        // The same decisions as nginx: case files and random rule sets, asked of both.
        .target(name: "NginxOracle", path: "Tests/Support/NginxOracle", swiftSettings: settings),
        .testTarget(
            name: "ShuntConformanceTests",
            dependencies: ["NginxOracle", "Shunt"],
            swiftSettings: settings
        ),

        // What the documents show, run.
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["NginxOracle", "Shunt", "ShuntCommand"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
