/// The keys of a table in the order of their buckets, while it is built.
struct BucketOrder {
    /// The place where the keys of each bucket begin in `order`, and where the last ones end.
    private var starts: [UInt32]
    private var order: [UInt32]

    /// Sorts the keys by counting.
    init(_ builder: borrowing KeyTableBuilder, bucketCount: Int) {
        let keyCount = builder.ends.count
        // Counts first, one place further on; then ends; then, counted down again, starts.
        starts = [UInt32](repeating: 0, count: bucketCount + 1)
        order = [UInt32](repeating: 0, count: keyCount)
        for key in 0..<keyCount { starts[KeyTable.bucket(builder.hash(key), bucketCount)] += 1 }
        var end: UInt32 = 0
        for bucket in starts.indices {
            end += starts[bucket]
            starts[bucket] = end
        }
        for key in (0..<keyCount).reversed() {
            let bucket = KeyTable.bucket(builder.hash(key), bucketCount)
            starts[bucket] -= 1
            order[Int(starts[bucket])] = UInt32(key)
        }
    }

    var bucketCount: Int { starts.count - 1 }

    /// The number of keys of the bucket that has most.
    var longest: Int { (0..<bucketCount).reduce(0) { max($0, Int(starts[$1 + 1] - starts[$1])) } }

    /// The keys of a bucket, in the order in which they were added.
    func keys(of bucket: Int) -> ArraySlice<UInt32> { order[Int(starts[bucket])..<Int(starts[bucket + 1])] }
}
