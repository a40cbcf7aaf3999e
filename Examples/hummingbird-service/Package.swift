// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "hummingbird-service",
    dependencies: [
        .package(name: "shunt", path: "../..", traits: ["Hummingbird", "Reloading"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        .target(
            name: "Shop",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Shunt", package: "shunt"),
                .product(name: "ShuntHummingbird", package: "shunt"),
                .product(name: "ShuntServices", package: "shunt"),
            ]
        ),
        .executableTarget(
            name: "Serve",
            dependencies: [
                "Shop",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Shop",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
