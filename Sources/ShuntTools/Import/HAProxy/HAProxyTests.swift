/// The tests of HAProxy: named ones, and those written in braces.
struct HAProxyTests {
    private var named: [String: [HAProxyImport.Line]] = [:]
    private let file: (String) -> String?
    /// True if a line before changes the path, which is another one in the URL of HAProxy then.
    var hasChangedPath = false
    /// The tables of networks, by the variables that show whether an address is in one.
    private(set) var networks: [String: [String]] = [:]
    /// The maps that lines look up.
    var maps: HAProxyMaps
    /// The variables of maps that the condition of a line finds to have a value.
    private(set) var found: Set<String> = []

    init(file: @escaping (String) -> String?) {
        self.file = file
        maps = HAProxyMaps(file: file)
    }

    /// Begins a section, whose named tests are in its lines.
    mutating func begin(_ lines: [HAProxyImport.Line]) {
        (named, hasChangedPath) = ([:], false)
        maps.defaultBackend = lines.last { $0.words.first == "default_backend" && $0.words.count == 2 }?.words[1]
        for line in lines where line.words.first == "acl" && line.words.count > 2 {
            named[line.words[1], default: []].append(line)
        }
    }

    /// The tests after `if` or `unless`: alternatives, of each of which all groups hold, by one test of each.
    ///
    /// If it `isWider`, tests of an `if` that have no counterpart are taken to hold.
    mutating func condition(_ words: ArraySlice<String>, isWider: Bool = false) throws(Unsaid) -> [[[ImportedTest]]] {
        found = []
        guard let first = words.first else { return [[]] }
        guard first == "if" || first == "unless" else { throw Unsaid("the word \(first)") }
        var alternatives: [[[ImportedTest]]] = [[]]
        var rest = words.dropFirst()
        while var word = rest.popFirst() {
            if word == "or" || word == "||" {
                alternatives.append([])
                continue
            }
            var isNegated = false
            if word.hasPrefix("!") {
                isNegated = true
                word.removeFirst()
                if word.isEmpty, let next = rest.popFirst() { word = next }
            }
            var inner: [String]?
            if word == "{" {
                let words = rest.prefix { $0 != "}" }
                rest = rest.dropFirst(words.count + 1)
                inner = Array(words)
            }
            let group: [ImportedTest]
            do throws(Unsaid) {
                if let inner { group = try tests(inner) } else { group = try namedTests(word) }
            } catch {
                guard isWider, first == "if" else { throw error }
                continue
            }
            if isNegated {
                for test in group { alternatives[alternatives.count - 1].append([test.opposite]) }
            } else {
                alternatives[alternatives.count - 1].append(group)
            }
        }
        guard first == "unless" else { return alternatives }
        // Not one of several: none of each.
        guard alternatives.count == 1 else {
            let all = alternatives.map { $0.count == 1 ? $0[0] : [] }
            guard !all.contains(where: \.isEmpty) else { throw Unsaid("unless with several alternatives") }
            return [all.joined().map { [$0.opposite] }]
        }
        guard !alternatives[0].isEmpty else { return [[]] }
        guard let groups = ImportedTest.opposite(of: alternatives[0]) else {
            throw Unsaid("unless with several alternatives")
        }
        return [groups]
    }

    private mutating func namedTests(_ name: String) throws(Unsaid) -> [ImportedTest] {
        let known: [String: ImportedTest] = [
            "METH_GET": .init("$request_method", .matches("^(GET|HEAD)$")),
            "METH_POST": .init("$request_method", .equals("POST")),
        ]
        if let lines = named[name] {
            var group: [ImportedTest] = []
            for line in lines { group += try tests(Array(line.words.dropFirst(2))) }
            return group
        }
        guard let test = known[name] else { throw Unsaid("the test \(name)") }
        return [test]
    }

    /// The tests of one line, of which one has to hold.
    private mutating func tests(_ words: [String]) throws(Unsaid) -> [ImportedTest] {
        guard var fetch = words.first else { throw Unsaid("an empty test") }
        var method = ""
        var ignoresCase = false
        var values: [String] = []
        var rest = words.dropFirst()
        if let match = fetch.wholeMatch(
            of: #/(path|url|base|hdr|req\.hdr|method)(_beg|_end|_reg|_sub|_dir|_dom)?(\(.*\))?/#
        ) {
            method = match.2.map { String($0.dropFirst()) } ?? ""
            fetch = String(match.1) + (match.3.map(String.init) ?? "")
        }
        while let word = rest.popFirst() {
            switch word {
            case "-i": ignoresCase = true
            case "-m": method = rest.popFirst() ?? ""
            case "--": continue
            case "-f":
                guard let path = rest.popFirst(), let text = file(path) else {
                    throw Unsaid("a file that cannot be read")
                }
                // A line is one value, with the blanks in it.
                values += text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
                    .map { $0.withoutEnds { " \t".contains($0) } }.filter { !$0.isEmpty }
            default: values.append(word)
            }
        }
        if HAProxyMaps.isConverted(fetch) {
            let variable = try maps.variable(fetch)
            if method == "found", values.isEmpty {
                found.insert(variable)
                return [.init(variable, .equals(""), isNegated: true)]
            }
            guard ["", "str"].contains(method), !values.isEmpty, !values.contains(where: { $0.contains("$") }) else {
                throw Unsaid("a map with this test")
            }
            return try HAProxySample(ofMap: variable).tests(method, values: values, ignoresCase: ignoresCase)
        }
        if fetch == "ssl_fc" {
            guard method.isEmpty, [[], ["0"], ["1"]].contains(values) else {
                throw Unsaid("the test ssl_fc with this value")
            }
            return [.init("$scheme", .equals(values == ["0"] ? "http" : "https"))]
        }
        if fetch == "src" { return try [addresses(values)] }
        guard !values.isEmpty else { throw Unsaid("the test \(fetch) without a value") }
        guard !values.contains(where: { $0.contains("${") }) else { throw Unsaid("a variable of the environment") }
        if hasChangedPath, fetch == "url" { throw Unsaid("the URL after a change of its path") }
        return try HAProxySample(fetch).tests(method, values: values, ignoresCase: ignoresCase)
    }

    /// A test of the client's address: one expression on few whole addresses, or a table.
    private mutating func addresses(_ values: [String]) throws(Unsaid) -> ImportedTest {
        guard !values.isEmpty, values.allSatisfy({ $0.wholeMatch(of: #/[0-9a-fA-F.:]+(?:\/\d+)?/#) != nil }) else {
            throw Unsaid("the network \(values.joined(separator: " "))")
        }
        var forms: [String] = []
        for value in values {
            let parts = value.split(separator: "/")
            let bytes = parts[0].split(separator: ".")
            let length = parts.count > 1 ? Int(parts[1]) ?? -1 : 32
            guard bytes.count == 4, [8, 16, 24, 32].contains(length), values.count < 8 else {
                let name =
                    networks.first { $0.value == values }?.key
                    ?? "$network\(networks.isEmpty ? "" : "_\(networks.count + 1)")"
                networks[name] = values
                return .init(name, .isTrue)
            }
            let kept = bytes.prefix(length / 8).joined(separator: "\\.")
            forms.append("^\(kept)\(length == 32 ? "$" : "\\.")")
        }
        return .init("$remote_addr", .matches(forms.joined(separator: "|")))
    }
}
