#if Command
import ArgumentParser
import ShuntTools

enum BudgetArgument {
    /// A budget such as `10` or `0.1%`.
    static func budget(_ text: String) throws -> ChangeLimit {
        try ChangeLimit(text).valid(or: "A budget is a whole number such as 10, or a share such as 0.1%.")
    }
}
#endif
