import ShuntRules

/// The place where settings are in force: in which servers, locations, bodies of `if` and of `limit_except`.
struct SettingsPlaces {
    /// The owner of settings.
    enum Place {
        case server(Int)
        case location(Int)
        /// The body of an `if` in a location, by the instruction that enters it.
        case branch(Int)
        /// The body of a `limit_except` in a location, which is for other methods than these.
        case methods(besides: [[UInt8]], location: Int)
    }

    private(set) var all: [Place] = []
    private var byAccessRules: [TableIndex<[AccessRule]>: [Place]] = [:]
    private var byErrorPages: [TableIndex<[ErrorPage]>: [Place]] = [:]
    private var byTryFiles: [TableIndex<TryFiles>: [Place]] = [:]
    private var byProxy: [TableIndex<ProxyTarget>: [Place]] = [:]

    init(_ program: Program) {
        for (index, server) in program.tables.servers.enumerated() {
            add(.server(index), number: server.settings, program: program)
        }
        for (index, location) in program.tables.locations.enumerated() {
            add(.location(index), number: location.settings, program: program)
            let limit = program.tables.settings[location.settings].methodLimit
            if !limit.isNone {
                let limit = program.tables.methodLimits[limit]
                add(.methods(besides: limit.methods, location: index), number: limit.settings, program: program)
            }
        }
        for (index, instruction) in program.tables.instructions.enumerated() where instruction.operation == .enter {
            add(.branch(index), number: SettingsIndex(instruction.a), program: program)
        }
    }

    private mutating func add(_ place: Place, number: SettingsIndex, program: Program) {
        let settings = program.tables.settings[number]
        all.append(place)
        if !settings.accessRules.isNone { byAccessRules[settings.accessRules, default: []].append(place) }
        if !settings.errorPages.isNone { byErrorPages[settings.errorPages, default: []].append(place) }
        if !settings.tryFiles.isNone { byTryFiles[settings.tryFiles, default: []].append(place) }
        if !settings.proxy.isNone { byProxy[settings.proxy, default: []].append(place) }
    }

    /// The places with a list of `allow` and `deny`.
    func places(accessRules index: Int) -> [Place] { byAccessRules[TableIndex(index)] ?? [] }

    /// The places with a list of `error_page`.
    func places(errorPages index: Int) -> [Place] { byErrorPages[TableIndex(index)] ?? [] }

    /// The places with a `try_files`.
    func places(tryFiles index: Int) -> [Place] { byTryFiles[TableIndex(index)] ?? [] }

    /// The places with a `proxy_pass`.
    func places(proxy index: Int) -> [Place] { byProxy[TableIndex(index)] ?? [] }
}
