/// The amount that may change: a number, or a share of the whole.
public struct ChangeLimit: Sendable, Hashable, CustomStringConvertible {
    /// The number, or the hundredths.
    public var amount: Double
    /// True if it is a share in hundredths.
    public var isPercent: Bool

    /// Reads a budget such as `10` or `0.1%`; nil if it is invalid.
    public init?(_ text: String) {
        isPercent = text.hasSuffix("%")
        let number = isPercent ? text.dropLast() : text[...]
        guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }),
            let amount = Double(number), isPercent ? amount <= 100 : amount <= 1e15 && amount == amount.rounded()
        else { return nil }
        self.amount = amount
    }

    /// Returns true if a number of changes is within the budget.
    public func allows(_ changed: Int, of all: Int) -> Bool {
        isPercent ? Double(changed) * 100 <= amount * Double(all) : Double(changed) <= amount
    }

    /// The budget as it is written.
    public var description: String {
        let number = amount == amount.rounded() ? String(Int(amount)) : String(amount)
        return isPercent ? "\(number)%" : number
    }
}
