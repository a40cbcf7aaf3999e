import ShuntPatterns

extension RouteAutomaton {
    /// Freezes what `compiler` made, with its states where `layout` puts them.
    convenience init(_ compiler: TableCompiler, layout: CellLayout, expressions: [RegularExpression], traits: Traits) {
        var routes: [RouteRecord] = []
        var steps: [StepRecord] = []
        var slots: [UInt16] = []
        for input in compiler.inputs {
            let program = input.program
            var record = RouteRecord()
            if program.hasChoices {
                let (stepRecords, map) = Self.records(of: program, slots: &slots)
                record.stepBase = UInt32(steps.count)
                record.stepCount = UInt32(map)
                steps += stepRecords
            }
            routes.append(record)
        }
        self.init(
            cells: CellArena(count: layout.count) { layout.fill($0) },
            pieces: compiler.pieces,
            routes: routes,
            steps: steps,
            slots: slots,
            captureCounts: compiler.labels.map { UInt8($0.captureCount) },
            labelBytes: compiler.labelBytes,
            expressions: expressions,
            traits: traits
        )
    }

    /// The steps of a program with its forms side by side, and how many records they are.
    private static func records(of program: RouteProgram, slots: inout [UInt16]) -> ([StepRecord], Int) {
        // A step with several forms takes several records, so the ends of groups move.
        var starts: [Int] = []
        var count = 0
        for step in program.steps {
            starts.append(count)
            if case .take(let forms) = step { count += forms.count } else { count += 1 }
        }
        starts.append(count)
        var records: [StepRecord] = []
        for (index, step) in program.steps.enumerated() {
            switch step {
            case .option(let end): records.append(StepRecord(label: UInt32.max, next: UInt32(starts[end])))
            case .take(let forms):
                for (position, form) in forms.enumerated() {
                    records.append(
                        StepRecord(
                            label: form.label,
                            next: UInt32(starts[index + 1]),
                            slotBase: UInt32(slots.count),
                            slotCount: UInt16(form.slots.count),
                            moreForms: UInt16(forms.count - position - 1)
                        )
                    )
                    slots += form.slots
                }
            }
        }
        return (records, count)
    }
}
