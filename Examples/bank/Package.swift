// swift-tools-version: 6.2

import PackageDescription

/// The library of modules.
let modules: Target.Dependency = .product(name: "ShuntModules", package: "shunt")

let package = Package(
    name: "bank",
    dependencies: [
        .package(name: "shunt", path: "../..", traits: ["Hummingbird", "Modules"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        // The messages between modules, and all that they know of each other.
        .target(name: "BankInterfaces", dependencies: [.product(name: "ShuntInterfaces", package: "shunt")]),
        .target(name: "BankPayments", dependencies: ["BankInterfaces", modules]),
        .target(name: "BankLogin", dependencies: ["BankInterfaces", modules]),
        // Code that is older than all of this and only speaks HTTP.
        .target(name: "OldStatements"),
        // The program: the modules, and what none of them should know.
        .target(
            name: "Bank",
            dependencies: [
                "BankInterfaces", "BankPayments", "BankLogin", modules,
                .product(name: "Shunt", package: "shunt"),
                .product(name: "ShuntLinks", package: "shunt"),
            ]
        ),
        // A page in a browser that pays.
        .executableTarget(
            name: "PayPage",
            dependencies: [
                "Bank", modules,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ShuntHummingbird", package: "shunt"),
            ]
        ),
        .executableTarget(
            name: "Pay",
            dependencies: ["Bank", modules, .product(name: "ShuntLinks", package: "shunt")]
        ),
        .testTarget(
            name: "BankTests",
            dependencies: [
                "Bank", "BankInterfaces", "OldStatements", modules,
                .product(name: "Shunt", package: "shunt"),
                .product(name: "ShuntLinks", package: "shunt"),
                .product(name: "ShuntServices", package: "shunt"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
