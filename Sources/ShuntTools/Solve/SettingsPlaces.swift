import ShuntRules

/// The place where settings are in force: in which servers, locations, bodies of `if` and of `limit_except`.
struct SettingsPlaces {
    /// The owner of settings.
    enum Place {
        case server(RuleModel.Server)
        case location(RuleModel.Location)
        /// The body of an `if` in a location, by the step that enters it.
        case branch(RuleModel.Step)
        /// The body of a `limit_except` in a location, which is for other methods than these.
        case methods(besides: [[UInt8]], location: RuleModel.Location)
    }

    private(set) var all: [Place] = []
    private var byAccessRules: [RuleModel.AccessRules: [Place]] = [:]
    private var byErrorPages: [RuleModel.ErrorPages: [Place]] = [:]
    private var byTryFiles: [RuleModel.TriedFiles: [Place]] = [:]
    private var byProxy: [RuleModel.Proxying: [Place]] = [:]

    init(_ model: RuleModel) {
        for server in model.servers { add(.server(server), server.settings) }
        for location in model.locations {
            add(.location(location), location.settings)
            if let limit = location.settings.methodLimit {
                add(.methods(besides: limit.methods, location: location), limit.others)
            }
        }
        for step in model.steps {
            if case .enter(let settings) = step.action { add(.branch(step), settings) }
        }
    }

    private mutating func add(_ place: Place, _ settings: RuleModel.Settings) {
        all.append(place)
        if let rules = settings.accessRules { byAccessRules[rules, default: []].append(place) }
        if let pages = settings.errorPages { byErrorPages[pages, default: []].append(place) }
        if let files = settings.tryFiles { byTryFiles[files, default: []].append(place) }
        if let proxy = settings.proxy { byProxy[proxy, default: []].append(place) }
    }

    /// The places with a list of `allow` and `deny`.
    func places(of rules: RuleModel.AccessRules) -> [Place] { byAccessRules[rules] ?? [] }

    /// The places with a list of `error_page`.
    func places(of pages: RuleModel.ErrorPages) -> [Place] { byErrorPages[pages] ?? [] }

    func places(of files: RuleModel.TriedFiles) -> [Place] { byTryFiles[files] ?? [] }

    /// The places with a `proxy_pass`.
    func places(of proxy: RuleModel.Proxying) -> [Place] { byProxy[proxy] ?? [] }
}
