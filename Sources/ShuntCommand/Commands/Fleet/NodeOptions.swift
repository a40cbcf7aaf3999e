#if Gateway && Command && Fleet
import ArgumentParser
import CVersion
import Glibc
import Shunt
import ShuntFleet
import ShuntGateway

/// The role of a gateway in a fleet, if --rules names releases.
struct NodeOptions: ParsableArguments {
    @Option(help: "The key file that releases are checked with, where --rules names releases.", completion: .file())
    var fleetKeys: String?

    @Option(help: "The name of this node; by default the name of the machine.")
    var fleetNode: String?

    @Option(
        help: "The directory for the releases and the state of this node; for this node alone.",
        completion: .directory
    )
    var fleetDirectory: String?

    @Option(help: .value("time", "The interval at which the node looks for another release."))
    var fleetInterval: Seconds?

    func apply(to options: inout GatewayOptions, allowsEmpty: Bool) throws {
        let place = options.rules
        guard FleetPlace.isCarrier(place) else {
            let given = [
                ("keys", fleetKeys != nil), ("node", fleetNode != nil), ("directory", fleetDirectory != nil),
                ("interval", fleetInterval != nil),
            ]
            if let (name, _) = given.first(where: \.1) {
                throw ValidationError(
                    "--fleet-\(name) is for releases: --rules file:DIRECTORY, http(s)://HOST/PATH/ or etcd://HOST:PORT/NAMESPACE."
                )
            }
            return
        }
        guard let fleetKeys else { throw ValidationError("Releases need --fleet-keys, the key file.") }
        guard let fleetDirectory else {
            throw ValidationError("Releases need --fleet-directory, a separate directory.")
        }
        let name = fleetNode ?? Self.machine
        guard FleetName.isValid(name) else {
            throw ValidationError(
                "'\(name)' is not a valid name of a node: letters, digits and . _ - only; set one with --fleet-node."
            )
        }
        let isLocal = place.lowercased().hasPrefix("file:")
        let interval = fleetInterval?.value ?? (isLocal ? 2 : 10)
        guard (1...3600).contains(interval) else { throw ValidationError("--fleet-interval is from 1s to 1h.") }
        var configuration = NodeConfiguration(name: name, keys: try KeyPaths.keyFile(fleetKeys), version: SHUNT_VERSION)
        configuration.allowsEmpty = allowsEmpty
        options.source = FleetRules(
            configuration,
            directory: fleetDirectory,
            carrier: try FleetPlace.carrier(place),
            interval: .seconds(interval)
        )
        options.rules = fleetDirectory
        options.store.lastKnownGood = nil
    }

    private static var machine: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#endif
