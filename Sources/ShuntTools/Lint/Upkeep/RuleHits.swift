package import Shunt

/// The counts of a gateway: the answer of `/rules` on its admin listener.
package struct RuleHits: Sendable {
    /// The reason why a text is not such an answer, as the end of a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String
    }

    /// The decisions of a rule.
    struct Count {
        /// Its file, line and column there.
        var place: String
        var hits: Int
        var last: Timestamp?
    }

    /// From when on all rules have been counted.
    package let since: Timestamp
    /// The time that a rule may be without a decision, in seconds.
    package let unusedFor: Int64
    /// By the name of the file, without the folders that it is in, and the text of the rule.
    private var counts: [String: [Count]] = [:]

    /// Reads an answer.
    package init(_ bytes: [UInt8], unusedFor seconds: Int64) throws(Problem) {
        unusedFor = seconds
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes)
        } catch {
            throw Problem(description: "\(error)")
        }
        guard let loaded = value["loaded"]?.text, let since = try? Timestamp(parsing: Array(loaded.utf8).span),
            let entries = value["counts"]?.items
        else { throw Problem(description: "it is not what /rules of a gateway answers") }
        self.since = since
        for entry in entries where entry.members != nil {
            guard let place = entry["rule"]?.text, let text = entry["text"]?.text, let hits = entry["hits"]?.integer
            else { throw Problem(description: "a count has no rule, no text or no hits") }
            let last = entry["last_hit"]?.text.flatMap { try? Timestamp(parsing: Array($0.utf8).span) }
            let name = place.split(separator: ":", omittingEmptySubsequences: false).dropLast(2).joined(separator: ":")
            counts[Self.key(name, text), default: []].append(Count(place: place, hits: hits, last: last))
        }
    }

    private static func key(_ file: String, _ text: String) -> String {
        (file.split(separator: "/").last.map(String.init) ?? file) + "\0" + text
    }

    /// Returns true if the rules have been counted long enough to judge that nothing uses one.
    package func isOldEnough(at moment: Timestamp) -> Bool { since.seconds <= moment.seconds - unusedFor }

    /// The decisions of a rule; nil if the gateway does not have it.
    ///
    /// Equal rules are one here.
    func count(of text: String, in file: String) -> Count? {
        guard let known = counts[Self.key(file, text)], var sum = known.first else { return nil }
        for other in known.dropFirst() {
            sum.hits += other.hits
            if let last = other.last, sum.last.map({ $0.seconds < last.seconds }) ?? true { sum.last = last }
        }
        return sum
    }
}

extension LintSubject {
    func neverHit() -> [LintFound] {
        guard let hits = options.hits, hits.isOldEnough(at: options.asOf) else { return [] }
        let bound = options.asOf.seconds - hits.unusedFor
        let rows = model.redirectLists.flatMap(\.positions)
        let entries = model.listRules.flatMap(\.entries.positions)
        // A gateway counts entries of tables only with --count-entries.
        return (rules.map(\.position) + rows + entries + ruleSet.entryPositions)
            .compactMap { position in
                guard let file = ruleSet.file(Int(position.file))?.name,
                    let count = hits.count(of: ruleSet.text(at: position), in: file),
                    count.last.map({ $0.seconds < bound }) ?? (count.hits == 0)
                else { return nil }
                let message = "this has decided nothing since \(count.last ?? hits.since)"
                return LintFound(position, message, advice: "remove it if what it is for is gone")
            }
    }
}
