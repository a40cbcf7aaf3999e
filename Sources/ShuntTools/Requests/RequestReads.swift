public import Shunt

/// The parts of a request that two rule sets read, so that requests that look the same to both are decided once.
///
/// The URL, the method, the inputs and the files always count; a header, the client and the time where a rule may read them.
public struct RequestReads: Sendable {
    package private(set) var headers: Set<[UInt8]> = [Array("host".utf8)]
    /// The cookies that are read by name; `headers` has `cookie` where the whole header is.
    package private(set) var cookies: Set<[UInt8]> = []
    /// The variables whose values the caller supplies.
    private var inputs: Set<String> = []
    package private(set) var readsAllHeaders = false
    private var readsAddress = false
    private var readsTime = false
    /// The smallest `max_headers`; `Int.max` without one.
    private var mostHeaders = Int.max

    /// Reads what rule sets read.
    public init(_ ruleSets: [RuleSet]) { self.init(ruleSets, forLogs: false) }

    /// Reads what rule sets read, and what their access logs do.
    package init(_ ruleSets: [RuleSet], forLogs: Bool) {
        for ruleSet in ruleSets { add(ruleSet.model, forLogs: forLogs) }
    }

    private mutating func add(_ model: RuleModel, forLogs: Bool) {
        for variable in model.variables where forLogs || !variable.isOnlyLogged {
            switch variable.source {
            case .requestHeader(let name):
                headers.insert(name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0.asciiLowercased })
            case .cookie(let name): cookies.insert(name)
            case .input, .external: inputs.insert(variable.name)
            case .builtin(let builtin): add(builtin)
            default: break
            }
        }
        mostHeaders = min(mostHeaders, model.ruleSet.mostHeaders)
        // Directives name the header with the client's address, and the valid referers.
        if model.findsRealAddresses { readsAllHeaders = true }
        if model.checksReferers { headers.insert(Array("referer".utf8)) }
        if model.checksPasswords { headers.insert(Array("authorization".utf8)) }
        if model.ruleSet.limitsBodies { headers.insert(Array("content-length".utf8)) }
        for rule in model.listRules {
            switch rule.entries.kind {
            case .networks: readsAddress = true
            case .agents: headers.insert(Array("user-agent".utf8))
            case .urls: break
            }
        }
        // A `geo` may believe proxies.
        if !model.addressTables.isEmpty { headers.insert(AddressMap.forwardedForName) }
        if !model.accessRules.allSatisfy(\.rules.isEmpty) || !model.addressTables.isEmpty || model.findsRealAddresses {
            readsAddress = true
        }
    }

    private mutating func add(_ builtin: BuiltinVariable) {
        switch builtin {
        case .contentLength: headers.formUnion(["content-length", "transfer-encoding"].map { Array($0.utf8) })
        case .contentType: headers.insert(Array("content-type".utf8))
        case .proxyForwardedFor:
            headers.insert(AddressMap.forwardedForName)
            readsAddress = true
        case .remoteUser: headers.insert(Array("authorization".utf8))
        case .invalidReferer: headers.insert(Array("referer".utf8))
        case .binaryRemoteAddress, .remoteAddress, .remotePort, .realIPRemoteAddress, .realIPRemotePort, .secureLink:
            readsAddress = true
        case .milliseconds, .time, .timeISO8601, .timeLocal, .timeOfDay, .weekday, .dateGMT, .secureLinkExpires:
            readsTime = true
        default: break
        }
        // A signed link is made of whatever its directive names, the time among it.
        if builtin == .secureLink { (readsTime, readsAllHeaders) = (true, true) }
    }

    /// Returns true if rules may read a header.
    func reads(header name: [UInt8]) -> Bool {
        // `underscores_in_headers` lets a `_` stand for a `-`.
        let name = name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0.asciiLowercased }
        return readsAllHeaders || headers.contains(name) || !cookies.isEmpty && name.elementsEqual("cookie".utf8)
    }

    /// Returns the part of a header that rules can read: the cookies that they name, all of other headers.
    func read(_ header: RuleRequest.Header) -> RuleRequest.Header? {
        guard reads(header: header.nameBytes) else { return nil }
        let name = header.nameBytes.map(\.asciiLowercased)
        guard !readsAllHeaders, !headers.contains(name) else { return header }
        let parts = RequestCookies.parts(of: header.valueBytes).filter { cookies.contains($0.name) }
        return parts.isEmpty ? nil : RuleRequest.Header(name: header.nameBytes, value: RequestCookies.text(parts))
    }

    /// The variables that stand for what a request has in addition to its URL, and is asked for by its name.
    var variables: Set<String> {
        let host = Array("host".utf8)
        let names = headers.filter { $0 != host }
            .map {
                "http_" + String(decoding: $0.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
            }
        return inputs.union(names).union(cookies.map { "cookie_" + String(decoding: $0, as: UTF8.self) })
    }

    /// Those of `variables` that a request has a value for.
    func variables(in request: RuleRequest) -> Set<String> {
        var found = Set(request.inputs.bytes.keys)
        for header in request.headers {
            let name = header.nameBytes.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0.asciiLowercased }
            found.insert("http_" + String(decoding: name, as: UTF8.self))
            guard name.elementsEqual("cookie".utf8) else { continue }
            for part in RequestCookies.parts(of: header.valueBytes) {
                found.insert("cookie_" + String(decoding: part.name, as: UTF8.self))
            }
        }
        return found
    }

    /// Bytes that are the same for requests which the rules cannot distinguish.
    func key(of description: RequestDescription) -> [UInt8] {
        let request = description.request
        var key: [UInt8] = [request.isForURL ? 1 : 2]
        func add(_ bytes: [UInt8]) {
            // The count keeps two texts after each other from looking like two others.
            for shift in [0, 8, 16] { key.append(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
            key += bytes
        }
        add(request.methodBytes)
        add(request.bytes)
        add(request.host ?? [])
        for header in request.headers where reads(header: header.nameBytes) {
            key.append(3)
            add(header.nameBytes.map(\.asciiLowercased))
            add(header.valueBytes)
        }
        for (name, value) in request.inputs.bytes.sorted(by: { $0.key < $1.key }) {
            key.append(4)
            add(Array(name.utf8))
            add(value)
        }
        // The Host may be one more.
        if request.headers.count + 1 >= mostHeaders { add(Array("\(request.headers.count)".utf8)) }
        if let listen = request.listen { add(Array("\(listen.address) \(listen.port)".utf8)) }
        if readsAddress { add(Array("\(request.remoteAddress) \(request.remotePort)".utf8)) }
        if readsTime, let time = request.time { add(Array("\(time)".utf8)) }
        for path in description.files {
            key.append(5)
            add(Array(path.utf8))
        }
        return key
    }
}
