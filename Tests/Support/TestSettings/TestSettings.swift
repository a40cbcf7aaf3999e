import Foundation

/// The settings of tests, which are variables of the environment.
///
/// CONTRIBUTING.md has a table of them, which a test compares with this file.
package enum TestSettings {
    // MARK: Recording

    package static let recordsCases = flag("SHUNT_RECORD_CASES", "record what nginx answers to new cases")
    package static let recordsDocuments = flag(
        "SHUNT_RECORD_DOCUMENTS",
        "write the outcomes of examples into documents"
    )
    package static let recordsMistakes = flag(
        "SHUNT_RECORD_MISTAKES",
        "write the messages about mistakes into their files"
    )
    package static let pagePictures = path("SHUNT_PAGE_PICTURES", "folder for pictures of the page")

    // MARK: Data from elsewhere

    package static let configurations = path("SHUNT_CONFIGURATIONS", "folder with a folder for each real nginx.conf")
    package static let httpsEverywhere = path("SHUNT_HTTPS_EVERYWHERE", "folder with the rule sets of HTTPS Everywhere")
    package static let pythonDocs = path(
        "SHUNT_PYTHON_DOCS",
        "folder with the rules of docs.python.org and their tests"
    )
    package static let docsRedirects = path("SHUNT_DOCS_REDIRECTS", "folder with redirects of a site, to be mutated")
    package static let linterCases = path("SHUNT_LINTER_CASES", "file with labelled configurations of other linters")
    package static let attackCases = path("SHUNT_ATTACK_CASES", "file with attacks on rules")
    package static let lintCorpus = path("SHUNT_LINT_CORPUS", "folder with rules that lint fixes")

    // MARK: Programs under load

    package static let program = path("SHUNT_PROGRAM", "program that is tested instead of the one next to the tests")
    package static let measures = flag("SHUNT_MEASURE", "measure reloads of an optimized program")
    package static let loadRequests = number(
        "SHUNT_LOAD_REQUESTS",
        else: 10_000,
        "requests during reloads and through a proxy"
    )
    package static let bodyBytes = number("SHUNT_BODY_BYTES", else: 1_073_741_824, "bytes of large bodies")
    package static let restarts = number("SHUNT_RESTARTS", else: 3, "restarts under load")
    package static let kills = number(
        "SHUNT_KILLS",
        else: 100,
        "writers of copies that are killed; 1,000 take a minute"
    )

    // MARK: Random rules and requests

    package static let apacheFiles = number("SHUNT_APACHE_FILES", else: 12, "random .htaccess files for Apache")
    package static let apacheRequests = number("SHUNT_APACHE_REQUESTS", else: 40, "requests to each of them")
    package static let apacheSeed = number("SHUNT_APACHE_SEED", else: 1, "first seed of such files")
    package static let differentialPairs = number(
        "SHUNT_DIFFERENTIAL_PAIRS",
        "pairs of a rule set and a request for nginx"
    )
    package static let differentialSeconds = number("SHUNT_DIFFERENTIAL_SECONDS", "time for such pairs; usually 20")
    package static let differentialSeed = number(
        "SHUNT_DIFFERENTIAL_SEED",
        "first seed of such pairs; usually of the day"
    )
    package static let differentialMismatches = number(
        "SHUNT_DIFFERENTIAL_MISMATCHES",
        else: 3,
        "mismatches that end the run"
    )
    package static let automataPairs = number(
        "SHUNT_AUTOMATA_PAIRS",
        "pairs of an expression and a subject in a long run"
    )
    package static let automataSeed = number("SHUNT_AUTOMATA_SEED", else: 1000, "first seed of such pairs")
    package static let indexPairs = number(
        "SHUNT_INDEX_PAIRS",
        else: 20_000,
        "pairs of a rule set and a URL for the index"
    )
    package static let indexSeed = number("SHUNT_INDEX_SEED", else: 1, "first seed of such pairs")
    package static let randomInputs = number(
        "SHUNT_RANDOM_INPUTS",
        else: 400,
        "damaged rules, URLs, requests and lists"
    )
    package static let randomSeed = number("SHUNT_RANDOM_SEED", "seed of such inputs; usually random")
    package static let interfaceCalls = number("SHUNT_INTERFACE_CALLS", else: 16_000, "random calls of the C interface")
    package static let growthSets = number("SHUNT_GROWTH_SETS", else: 300, "rule sets whose values grow")
    package static let growthSeed = number("SHUNT_GROWTH_SEED", else: 1, "first seed of such sets")
    package static let equalitySets = number("SHUNT_EQUALITY_SETS", else: 40, "sets whose mutants are compared")
    package static let equalitySeed = number("SHUNT_EQUALITY_SEED", else: 1, "first seed of such sets")
    package static let coverageSets = number("SHUNT_COVERAGE_SETS", else: 200, "sets whose coverage is counted twice")
    package static let deadRules = number("SHUNT_DEAD_RULES", else: 40, "rules in a search for dead ones")
    package static let deadSets = number("SHUNT_DEAD_SETS", else: 30, "sets with dead rules")
    package static let deadRequests = number("SHUNT_DEAD_REQUESTS", else: 100, "requests to each of them")
    package static let listedHosts = number(
        "SHUNT_LISTED_HOSTS",
        else: 20_000,
        "hosts in a list of a set with dead rules"
    )
    package static let appLinkURLs = number("SHUNT_APP_LINK_URLS", else: 4000, "URLs for random files of app links")
    package static let appLinkSeed = number("SHUNT_APP_LINK_SEED", else: 20, "seed of such files")

    // MARK: Random connections

    package static let randomConnections = number(
        "SHUNT_RANDOM_CONNECTIONS",
        else: 400,
        "connections through a gateway"
    )
    package static let randomRequests = number("SHUNT_RANDOM_REQUESTS", else: 20_000, "requests for the parser")
    package static let randomResponses = number("SHUNT_RANDOM_RESPONSES", else: 3000, "responses for the parser")
    package static let randomExchanges = number("SHUNT_RANDOM_EXCHANGES", else: 100_000, "simulated exchanges")
    package static let prefaces = number("SHUNT_PREFACES", else: 20_000, "heads of the PROXY protocol")
    package static let balanceSeeds = number("SHUNT_BALANCE_SEEDS", else: 3, "random upstream groups")
    package static let balanceSeed = number("SHUNT_BALANCE_SEED", else: 1, "first seed of such groups")
    package static let servingSets = number(
        "SHUNT_SERVING_SETS",
        else: 60,
        "configurations that are compared with nginx"
    )
    package static let servingSeed = number("SHUNT_SERVING_SEED", else: 1, "first seed of such configurations")
    package static let wireSets = number(
        "SHUNT_WIRE_SETS",
        else: 1_000,
        "configurations whose connections are compared"
    )
    package static let wireSeed = number("SHUNT_WIRE_SEED", else: 1, "first seed of these configurations")
    package static let besideSets = number("SHUNT_BESIDE_SETS", "rule sets for each proxy that asks Shunt")

    // MARK: Fleets

    package static let fleetSeeds = number("SHUNT_FLEET_SEEDS", else: 4, "simulated fleets")
    package static let fleetSeed = number("SHUNT_FLEET_SEED", else: 1, "first seed of such fleets")
    package static let fleetRelayed = number("SHUNT_FLEET_RELAYED", else: 300, "simulated nodes that read from relays")
    package static let fleetNodes = number("SHUNT_FLEET_NODES", "nodes; usually 60 simulated ones, 6 next to programs")
    package static let fleetPrograms = number("SHUNT_FLEET_PROGRAMS", "programs of a fleet; usually 2")
    package static let fleetReleases = number("SHUNT_FLEET_RELEASES", "releases in a row; usually 12")
    package static let fleetRules = number("SHUNT_FLEET_RULES", "rules in each of them; usually 300 or 1,000")
    package static let fleetConversations = number(
        "SHUNT_FLEET_CONVERSATIONS",
        else: 10,
        "conversations with a bad etcd"
    )
    package static let etcdNodes = number("SHUNT_ETCD_NODES", "nodes at a real etcd; usually 6, 12 or 1,000")
    package static let etcdRounds = number("SHUNT_ETCD_ROUNDS", "releases to them that are timed; usually 2")
    package static let etcdCrashes = number("SHUNT_ETCD_CRASHES", "crashes of etcd; usually 2")
    package static let etcdReleases = number("SHUNT_ETCD_RELEASES", "releases during crashes; usually 8")

    // MARK: Reading

    private static func value(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    private static func flag(_ name: String, _ purpose: String) -> Bool { value(name) == "1" }

    private static func path(_ name: String, _ purpose: String) -> String? { value(name) }

    private static func number(_ name: String, _ purpose: String) -> Int? { value(name).flatMap { Int($0) } }

    private static func number(_ name: String, else usual: Int, _ purpose: String) -> Int {
        number(name, purpose) ?? usual
    }
}
