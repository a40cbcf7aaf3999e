// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "deep-links",
    dependencies: [.package(name: "shunt", path: "../..")],
    targets: [
        .target(name: "DeepLinks", dependencies: [.product(name: "Shunt", package: "shunt")]),
        .executableTarget(name: "Open", dependencies: ["DeepLinks", .product(name: "Shunt", package: "shunt")]),
        .testTarget(name: "DeepLinksTests", dependencies: ["DeepLinks", .product(name: "Shunt", package: "shunt")]),
    ],
    swiftLanguageModes: [.v6]
)
