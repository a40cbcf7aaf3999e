extension RuleSource { mutating func readList(_ path: Word) -> Int32? { nil } }
