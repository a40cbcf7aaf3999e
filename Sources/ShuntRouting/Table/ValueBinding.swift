/// From the captures along a way through the automaton to the values of the route that was found.
///
/// Why the unsafe code is sound: slots are below the route's slot count, which is at most the capacity of `values`;
/// `bindings` has a bit for each of 256 steps at each depth.
extension RouteAutomaton {
    /// Puts the values of `route` into the scratch.
    @inline(__always) func bind(_ route: TerminalRecord, depth: Int, captureCount: Int, scratch: RouteScratch) {
        let count = Int(route.slotCount)
        scratch.valueCount = count
        scratch.valuesAreCaptures = false
        if !route.hasChoices {
            // Without choices the captures are the values, in the order of their slots.
            for index in 0..<min(count, captureCount) { unsafe scratch.values[index] = unsafe scratch.captures[index] }
            return
        }
        bindChoices(route, depth: depth, captureCount: captureCount, scratch: scratch)
    }

    /// Finds a way through the steps of the route that takes the labels that were taken, groups taken rather than left
    /// out, and binds the captures along it.
    @inline(never)
    private func bindChoices(_ route: TerminalRecord, depth: Int, captureCount: Int, scratch: RouteScratch) {
        for slot in 0..<Int(route.slotCount) { unsafe scratch.values[slot] = RouteScratch.missing }
        var total = 0
        for index in 0..<depth { total += Int(captureCounts[unsafe scratch.labels[index]]) }
        // Values of the host come first, in the first slots.
        let hostCount = max(0, captureCount - total)
        for slot in 0..<min(hostCount, Int(route.slotCount)) {
            unsafe scratch.values[slot] = unsafe scratch.captures[slot]
        }
        unsafe scratch.bindings.update(repeating: 0, count: RouteScratch.bindingCapacity)
        _ = follow(routes[route.route], step: 0, depth: 0, last: depth, capture: hostCount, scratch: scratch)
    }

    /// Returns true if the labels from `depth` on lead from `step` to the end; binds on the way back.
    private func follow(
        _ route: RouteRecord,
        step: Int,
        depth: Int,
        last: Int,
        capture: Int,
        scratch: RouteScratch
    ) -> Bool {
        if step == Int(route.stepCount) { return depth == last }
        // A step that failed at a depth fails there always.
        let bit = depth &* 256 &+ (step & 255)
        if unsafe scratch.bindings[bit &>> 3] & (1 &<< UInt8(bit & 7)) != 0 { return false }
        unsafe scratch.bindings[bit &>> 3] |= 1 &<< UInt8(bit & 7)
        var index = Int(route.stepBase) &+ step
        var record = steps[index]
        if record.label == UInt32.max {
            if follow(route, step: step + 1, depth: depth, last: last, capture: capture, scratch: scratch) {
                return true
            }
            return follow(route, step: Int(record.next), depth: depth, last: last, capture: capture, scratch: scratch)
        }
        guard depth < last else { return false }
        let label = unsafe scratch.labels[depth]
        while true {
            if record.label == label {
                let count = Int(captureCounts[label])
                guard
                    follow(
                        route,
                        step: Int(record.next),
                        depth: depth + 1,
                        last: last,
                        capture: capture + count,
                        scratch: scratch
                    )
                else { return false }
                for offset in 0..<min(count, Int(record.slotCount)) {
                    let slot = Int(slots[Int(record.slotBase) &+ offset])
                    unsafe scratch.values[slot] = unsafe scratch.captures[capture &+ offset]
                }
                return true
            }
            if record.moreForms == 0 { return false }
            index += 1
            record = steps[index]
        }
    }
}
