extension String {
    /// The digits with zeros before them where they are fewer than `count`.
    package func paddedWithZeros(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - utf8.count)) + self
    }
}
