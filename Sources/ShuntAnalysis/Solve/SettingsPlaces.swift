import ShuntRules

/// Where settings are in force: in which servers, locations, bodies of `if` and of `limit_except`.
struct SettingsPlaces {
    /// What has settings of its own.
    enum Place {
        case server(Int)
        case location(Int)
        /// The body of an `if` in a location, by the instruction that enters it.
        case branch(Int)
        /// The body of a `limit_except` in a location, which is for other methods than these.
        case methods(besides: [[UInt8]], location: Int)
    }

    private(set) var all: [Place] = []
    private var byAccessRules: [Int32: [Place]] = [:]
    private var byErrorPages: [Int32: [Place]] = [:]
    private var byTryFiles: [Int32: [Place]] = [:]
    private var byProxy: [Int32: [Place]] = [:]

    init(_ program: Program) {
        for (index, server) in program.servers.enumerated() { add(.server(index), server.settings, program) }
        for (index, location) in program.locations.enumerated() {
            add(.location(index), location.settings, program)
            let limit = program.settings[Int(location.settings)].methodLimit
            if limit >= 0 {
                let limit = program.methodLimits[Int(limit)]
                add(.methods(besides: limit.methods, location: index), limit.settings, program)
            }
        }
        for (index, instruction) in program.instructions.enumerated() where instruction.operation == .enter {
            add(.branch(index), instruction.a, program)
        }
    }

    private mutating func add(_ place: Place, _ number: Int32, _ program: Program) {
        let settings = program.settings[Int(number)]
        all.append(place)
        if settings.accessRules >= 0 { byAccessRules[settings.accessRules, default: []].append(place) }
        if settings.errorPages >= 0 { byErrorPages[settings.errorPages, default: []].append(place) }
        if settings.tryFiles >= 0 { byTryFiles[settings.tryFiles, default: []].append(place) }
        if settings.proxy >= 0 { byProxy[settings.proxy, default: []].append(place) }
    }

    /// The places with a list of `allow` and `deny`.
    func places(accessRules index: Int) -> [Place] { byAccessRules[Int32(index)] ?? [] }

    /// The places with a list of `error_page`.
    func places(errorPages index: Int) -> [Place] { byErrorPages[Int32(index)] ?? [] }

    /// The places with a `try_files`.
    func places(tryFiles index: Int) -> [Place] { byTryFiles[Int32(index)] ?? [] }

    /// The places with a `proxy_pass`.
    func places(proxy index: Int) -> [Place] { byProxy[Int32(index)] ?? [] }
}
