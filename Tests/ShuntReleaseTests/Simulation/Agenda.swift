/// Things that happen at a moment, in order.
///
/// The heap has numbers alone: what happens is large, and would be copied at each level.
struct Agenda<Item> {
    private struct Entry {
        var time: Duration
        var number: Int
        var place: Int

        func precedes(_ other: Entry) -> Bool { time != other.time ? time < other.time : number < other.number }
    }

    private var heap: [Entry] = []
    private var items: [Item?] = []
    private var free: [Int] = []
    private var count = 0

    mutating func add(_ item: Item, at time: Duration) {
        count += 1
        let place = free.popLast() ?? items.count
        if place == items.count { items.append(item) } else { items[place] = item }
        let entry = Entry(time: time, number: count, place: place)
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, entry.precedes(heap[(child - 1) / 2]) {
            heap[child] = heap[(child - 1) / 2]
            child = (child - 1) / 2
        }
        heap[child] = entry
    }

    mutating func next() -> (time: Duration, item: Item)? {
        guard let first = heap.first, let last = heap.popLast(), let item = items[first.place].take() else {
            return nil
        }
        free.append(first.place)
        if !heap.isEmpty { sink(last) }
        return (first.time, item)
    }

    private mutating func sink(_ entry: Entry) {
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(entry) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = entry
    }
}
