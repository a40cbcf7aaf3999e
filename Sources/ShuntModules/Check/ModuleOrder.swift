/// The order in which modules start: what they need first, then by level, by priority, and by the order of `add`.
enum ModuleOrder {
    /// The units, each after those that it needs; there are no circles.
    ///
    /// Takes time in proportion to the square of the number of units.
    static func order(_ units: [AssemblyCheck.Unit], needs: [[Int]]) -> [Int] {
        var left = needs.map(\.count)
        var users = [[Int]](repeating: [], count: units.count)
        for (unit, needs) in needs.enumerated() {
            for need in needs { users[need].append(unit) }
        }
        let rank = units.indices.map { (units[$0].draft.level.rawValue, -units[$0].draft.priority, $0) }
        var order: [Int] = []
        // What belongs to the program itself is there from the start and takes no separate turn.
        var ready = units.indices.filter { left[$0] == 0 }
        while let next = ready.min(by: { first, second in
            if units[first].isModule != units[second].isModule { return !units[first].isModule }
            return rank[first] < rank[second]
        }) {
            ready.removeAll { $0 == next }
            order.append(next)
            for user in users[next] {
                left[user] -= 1
                if left[user] == 0 { ready.append(user) }
            }
        }
        return order
    }

    /// A circle among the needs, the first unit again at its end; nil when there is none.
    static func circles(_ needs: [[Int]]) -> [[Int]] {
        var circles: [[Int]] = []
        /// 0 not seen, 1 on the way, 2 done.
        var marks = [Int](repeating: 0, count: needs.count)
        var path: [Int] = []
        func visit(_ unit: Int) {
            marks[unit] = 1
            path.append(unit)
            for need in needs[unit] {
                if marks[need] == 1, let start = path.firstIndex(of: need) {
                    circles.append(Array(path[start...]) + [need])
                } else if marks[need] == 0 {
                    visit(need)
                }
            }
            path.removeLast()
            marks[unit] = 2
        }
        for unit in needs.indices where marks[unit] == 0 { visit(unit) }
        return circles
    }
}
