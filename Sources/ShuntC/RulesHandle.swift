#if compiler(>=6.3)
public import CShunt
import Shunt

/// The rules that a caller holds.
final class RulesHandle: Sendable {
    let engine: Engine
    /// Those that count its decisions; nil if nothing reads them.
    let counters: RuleCounters?

    /// As many shards as threads that should not wait for each other.
    private static let shards = 16

    init(_ engine: Engine, counts: Bool, continuing previous: RulesHandle? = nil) {
        self.engine = engine
        counters =
            counts ? RuleCounters(engine.ruleSet, shards: Self.shards, continuing: previous?.counters) : nil
    }

    /// A reference that the caller drops with `shunt_rules_release`.
    func retained() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

    /// The rules at a pointer; nil for NULL.
    static func at(_ pointer: OpaquePointer?) -> RulesHandle? {
        pointer.map { Unmanaged<RulesHandle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    /// Loads rules, or returns the reason why that is impossible.
    static func load(
        _ options: UnsafePointer<shunt_options>?,
        into rules: UnsafeMutablePointer<OpaquePointer?>?,
        message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
        _ make: (HandleOptions) throws(RuleSetError) -> RuleSet?
    ) -> shunt_status {
        if let message = message { message.pointee = nil }
        guard let rules = rules, let options = HandleOptions(options) else { return SHUNT_INVALID_ARGUMENT }
        rules.pointee = nil
        do throws(RuleSetError) {
            guard let ruleSet = try make(options) else { return SHUNT_INVALID_ARGUMENT }
            let handle = RulesHandle(Engine(ruleSet, options: options.engine), counts: options.counts)
            rules.pointee = handle.retained()
            return SHUNT_OK
        } catch {
            OwnedText.give(error.message(isJSON: options.isJSON), to: message)
            return SHUNT_INVALID_RULES
        }
    }
}

extension RuleSetError {
    /// The errors and warnings, for people or for programs.
    func message(isJSON: Bool) -> [UInt8] {
        isJSON ? diagnostics.flatMap { $0.json.line } : Array(description.utf8)
    }
}

/// The options of a caller, taken over.
struct HandleOptions {
    var trusted: [String] = []
    var engine = Engine.Options()
    var lastKnownGood: String?
    var ignoresUnknown = false
    var counts = false
    var watches = false
    var isJSON = false

    /// Takes options over; NULL stands for the defaults, and invalid ones are nil.
    init?(_ pointer: UnsafePointer<shunt_options>?) {
        guard let options = pointer?.pointee else { return }
        guard options.size == MemoryLayout<shunt_options>.size, options.trusted_count >= 0 else { return nil }
        for index in 0..<options.trusted_count {
            guard let path = options.trusted?[index] else { return nil }
            trusted.append(String(cString: path))
        }
        if let root = options.document_root {
            engine.documentRoot = String(cString: root)
            engine.fileSystem = LocalFileSystem()
        }
        lastKnownGood = options.last_known_good.map { String(cString: $0) }
        ignoresUnknown = options.ignores_unknown
        counts = options.counts
        watches = options.watches
        isJSON = options.json
    }
}

/// See `shunt.h`.
@c @implementation
public func shunt_rules_load(
    _ path: UnsafePointer<CChar>!,
    _ options: UnsafePointer<shunt_options>!,
    _ rules: UnsafeMutablePointer<OpaquePointer?>!,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> shunt_status {
    RulesHandle.load(options, into: rules, message: message) { options throws(RuleSetError) in
        guard let path = path else { return nil }
        return try RuleSet(
            path: String(cString: path),
            trusting: options.trusted,
            ignoringUnknownDirectives: options.ignoresUnknown
        )
    }
}

/// See `shunt.h`.
@c @implementation
public func shunt_rules_parse(
    _ text: shunt_text,
    _ name: UnsafePointer<CChar>!,
    _ options: UnsafePointer<shunt_options>!,
    _ rules: UnsafeMutablePointer<OpaquePointer?>!,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> shunt_status {
    RulesHandle.load(options, into: rules, message: message) { options throws(RuleSetError) in
        guard let content = text.buffer.map({ Array($0) }) else { return nil }
        let name = name.map { String(cString: $0) } ?? "rules.conf"
        if let text = String(validating: content, as: UTF8.self) {
            return try RuleSet(text: text, named: name, ignoringUnknownDirectives: options.ignoresUnknown)
        }
        // Other bytes stay unchanged: repaired, they would be rules about other requests.
        var files = InMemoryFileSystem()
        files.set(name, .file(content))
        return try RuleSet(path: name, from: files, ignoringUnknownDirectives: options.ignoresUnknown)
    }
}

/// See `shunt.h`.
@c @implementation
public func shunt_rules_archive(
    _ files: UnsafePointer<shunt_field>!,
    _ count: Int,
    _ options: UnsafePointer<shunt_options>!,
    _ rules: UnsafeMutablePointer<OpaquePointer?>!,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> shunt_status {
    RulesHandle.load(options, into: rules, message: message) { options throws(RuleSetError) in
        guard let files = files, count >= 0 else { return nil }
        var archive = RuleArchive([:])
        for index in 0..<count {
            guard let name = files[index].name.string, let text = files[index].value.buffer else { return nil }
            // Of two files with one path, only one would count.
            guard archive.entries.updateValue(.file(Array(text)), forKey: archive.path + "/" + name) == nil else {
                return nil
            }
        }
        return try archive.compile(ignoringUnknownDirectives: options.ignoresUnknown)
    }
}

/// See `shunt.h`.
@c @implementation
public func shunt_rules_retain(_ rules: OpaquePointer!) -> OpaquePointer! {
    RulesHandle.at(rules)?.retained()
}

/// See `shunt.h`.
@c @implementation
public func shunt_rules_release(_ rules: OpaquePointer!) {
    guard let rules = rules else { return }
    Unmanaged<RulesHandle>.fromOpaque(UnsafeRawPointer(rules)).release()
}

/// See `shunt.h`.
@c @implementation
public func shunt_rules_count(_ rules: OpaquePointer!) -> Int { RulesHandle.at(rules)?.engine.ruleSet.ruleCount ?? 0 }

/// See `shunt.h`.
@c @implementation
public func shunt_rules_hash(_ rules: OpaquePointer!) -> UnsafeMutablePointer<CChar>! {
    guard let rules = RulesHandle.at(rules) else { return nil }
    return OwnedText.make(Array(rules.engine.ruleSet.contentHash.utf8))
}
#endif
