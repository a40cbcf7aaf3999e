/// The differences between two texts, in the form of `diff -u`.
public enum UnifiedDifference {
    /// The lines around a change that are shown with it.
    private static let context = 3
    /// The most lines, from the first change to the last, among which the fewest changes are looked for; of more, all are
    /// shown as changed, since the search takes the square of their number at worst.
    private static let searched = 4_000

    private struct Line {
        var mark: UInt8
        var text: ArraySlice<UInt8>
    }

    /// The difference between two texts, empty where there is none.
    ///
    /// - Parameters:
    ///   - old: The text before.
    ///   - new: The text after.
    ///   - name: What both are called.
    /// - Returns: The lines that changed with three around them, as bytes.
    public static func between(_ old: [UInt8], _ new: [UInt8], named name: String) -> [UInt8] {
        let lines = self.lines(old.lines, new.lines)
        var result: [UInt8] = []
        var oldLine = 1
        var newLine = 1
        var index = 0
        while index < lines.count {
            guard let change = lines[index...].firstIndex(where: { $0.mark != UInt8(ascii: " ") }) else { break }
            let start = max(index, change - context)
            oldLine += start - index
            newLine += start - index
            var end = change
            var next = change
            while next < lines.count, next - end <= 2 * context {
                if lines[next].mark != UInt8(ascii: " ") { end = next }
                next += 1
            }
            let hunk = lines[start..<min(lines.count, end + 1 + context)]
            let removed = hunk.count { $0.mark != UInt8(ascii: "+") }
            let added = hunk.count { $0.mark != UInt8(ascii: "-") }
            if result.isEmpty { result += Array("--- \(name)\n+++ \(name)\n".utf8) }
            result += Array("@@ -\(place(oldLine, removed)) +\(place(newLine, added)) @@\n".utf8)
            for line in hunk {
                result.append(line.mark)
                result += line.text
                if line.text.last != UInt8(ascii: "\n") { result += Array("\n\\ No newline at end of file\n".utf8) }
            }
            oldLine += removed
            newLine += added
            index = hunk.endIndex
        }
        return result
    }

    /// A range of lines; an empty one is named by the line before it.
    private static func place(_ line: Int, _ count: Int) -> String {
        if count == 1 { return "\(line)" }
        return "\(count == 0 ? line - 1 : line),\(count)"
    }

    private static func lines(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Line] {
        var first = 0
        while first < old.count, first < new.count, old[first].elementsEqual(new[first]) { first += 1 }
        var last = 0
        while last < old.count - first, last < new.count - first,
            old[old.count - 1 - last].elementsEqual(new[new.count - 1 - last])
        {
            last += 1
        }
        var result = old[..<first].map { Line(mark: UInt8(ascii: " "), text: $0) }
        result += changed(Array(old[first..<old.count - last]), Array(new[first..<new.count - last]))
        result += old[(old.count - last)...].map { Line(mark: UInt8(ascii: " "), text: $0) }
        return result
    }

    private static func changed(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Line] {
        guard old.count + new.count <= searched else {
            return old.map { Line(mark: UInt8(ascii: "-"), text: $0) }
                + new.map { Line(mark: UInt8(ascii: "+"), text: $0) }
        }
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in new.difference(from: old, by: { $0.elementsEqual($1) }) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var result: [Line] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if removed.contains(oldIndex) {
                result.append(Line(mark: UInt8(ascii: "-"), text: old[oldIndex]))
                oldIndex += 1
            } else if added.contains(newIndex) {
                result.append(Line(mark: UInt8(ascii: "+"), text: new[newIndex]))
                newIndex += 1
            } else {
                result.append(Line(mark: UInt8(ascii: " "), text: old[oldIndex]))
                oldIndex += 1
                newIndex += 1
            }
        }
        return result
    }
}

extension [UInt8] {
    /// The lines, each with the newline that ends it.
    fileprivate var lines: [ArraySlice<UInt8>] {
        var result: [ArraySlice<UInt8>] = []
        var start = 0
        for index in indices where self[index] == UInt8(ascii: "\n") {
            result.append(self[start...index])
            start = index + 1
        }
        if start < count { result.append(self[start...]) }
        return result
    }
}
