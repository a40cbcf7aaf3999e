import ShuntCore

/// The values of a request that access logs need when it is answered.
extension Evaluation {
    /// The access logs of the place that the request reached; none where it reached no server.
    var accessLogs: TableIndex<[AccessLogRule]>? {
        server.settings.isNone ? nil : program.tables.settings[server.settings].accessLogs
    }

    /// Computes the values of the logs in force.
    ///
    /// One that cannot be computed is empty: a log never changes what becomes of a request.
    @inline(never)
    mutating func setLogValues() {
        // What a log reads did not decide.
        isNotingEntries = false
        defer { isNotingEntries = namesEntries }
        answer.logValues.removeAll(keepingCapacity: true)
        guard let index = accessLogs, !index.isNone else { return }
        for rule in program.tables.accessLogs[index] {
            switch rule.condition {
            case .always: break
            case .value(let template): answer.logValues.append((try? evaluate(template: template)) ?? .empty)
            case .text(let text): addLogValues(of: text.variables)
            }
            addLogValues(of: program.tables.logFormats[rule.format].text.variables)
        }
    }

    private mutating func addLogValues(of variables: [VariableIndex]) {
        for variable in variables { answer.logValues.append((try? value(of: variable)) ?? .empty) }
    }
}

extension DecisionView {
    /// The access logs of the place that the request reached; nil where it reached no server.
    package var accessLogs: AccessLogList? { evaluated { $0.accessLogs.map { AccessLogList($0) } } }

    /// The values that those logs need, in the order of the logs.
    package var logValues: [[UInt8]] {
        evaluated { evaluation in evaluation.answer.logValues.map { evaluation.arena.array($0) } }
    }
}
