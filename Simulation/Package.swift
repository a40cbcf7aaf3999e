// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// The sources are links into the repository, so that the simulation of the tests runs optimized, without building anything else.
let package = Package(
    name: "simulation",
    platforms: [.macOS(.v26)],
    targets: [
        .target(name: "CMemory"),
        .target(name: "ShuntCore", dependencies: ["CMemory"], swiftSettings: settings),
        .target(name: "ShuntFleet", dependencies: ["ShuntCore"], swiftSettings: settings),
        .target(name: "SeededRandom", swiftSettings: settings),
        .executableTarget(
            name: "SimulateFleet",
            dependencies: ["SeededRandom", "ShuntCore", "ShuntFleet"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
