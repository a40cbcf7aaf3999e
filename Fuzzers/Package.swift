// swift-tools-version: 6.2

import PackageDescription

// Built with `swift build --sanitize fuzzer`, which also links libFuzzer's `main`.
let settings: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]

let package = Package(
    name: "fuzzers",
    dependencies: [.package(name: "shunt", path: "..")],
    targets: [.target(name: "FuzzSupport", dependencies: [.product(name: "Shunt", package: "shunt")])]
        + ["FuzzRules", "FuzzURLs", "FuzzRequests", "FuzzLists", "FuzzGrowth"]
        .map {
            .executableTarget(
                name: $0,
                dependencies: ["FuzzSupport", .product(name: "Shunt", package: "shunt")],
                swiftSettings: settings
            )
        }
        + [
            .executableTarget(
                name: "FuzzReleases",
                dependencies: [.product(name: "ShuntRelease", package: "shunt")],
                swiftSettings: settings
            ),
            .executableTarget(
                name: "FuzzJSON",
                dependencies: [.product(name: "ShuntAppLinks", package: "shunt")],
                swiftSettings: settings
            ),
        ],
    swiftLanguageModes: [.v6]
)
