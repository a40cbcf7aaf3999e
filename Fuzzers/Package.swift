// swift-tools-version: 6.2

import PackageDescription

// Built with `swift build --sanitize fuzzer`, which also links libFuzzer's `main`; or without it where the environment asks for
// runs that are not guided, and then each program has its own.
let isUnguided = Context.environment["SHUNT_FUZZ_UNGUIDED"] != nil
let unguided: [Target] =
    isUnguided ? [.target(name: "SeededRandom"), .target(name: "UnguidedRuns", dependencies: ["SeededRandom"])] : []
let runs: [Target.Dependency] = isUnguided ? ["UnguidedRuns"] : []
let settings: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])] + (isUnguided ? [.define("UNGUIDED")] : [])

let package = Package(
    name: "fuzzers",
    dependencies: [.package(name: "shunt", path: "..")],
    targets: unguided
        + [.target(name: "FuzzSupport", dependencies: [.product(name: "Shunt", package: "shunt")])]
        + ["FuzzRules", "FuzzURLs", "FuzzRequests", "FuzzLists", "FuzzGrowth"]
        .map {
            .executableTarget(
                name: $0,
                dependencies: ["FuzzSupport", .product(name: "Shunt", package: "shunt")] + runs,
                swiftSettings: settings
            )
        }
        + [
            .executableTarget(
                name: "FuzzReleases",
                dependencies: [.product(name: "ShuntFleet", package: "shunt")] + runs,
                swiftSettings: settings
            ),
            .executableTarget(
                name: "FuzzJSON",
                dependencies: [.product(name: "ShuntAppLinks", package: "shunt")] + runs,
                swiftSettings: settings
            ),
        ],
    swiftLanguageModes: [.v6]
)
