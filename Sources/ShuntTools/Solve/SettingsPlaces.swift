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
    private var bySetting: [AnyHashable: [Place]] = [:]

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
        let parts: [(any RulePart)?] = [
            settings.accessRules, settings.errorPages, settings.tryFiles, settings.proxy,
        ]
        for part in parts.compactMap(\.self) { bySetting[AnyHashable(part), default: []].append(place) }
    }

    /// The places with a list of `allow` and `deny` or of `error_page`, a `try_files` or a `proxy_pass`.
    func places(of setting: some RulePart) -> [Place] { bySetting[AnyHashable(setting)] ?? [] }
}
