package import ShuntCore

package struct ServedFile: Sendable {
    package let path: [UInt8]
    /// True if the path leads out of the folder that its root names: it is not a file then.
    package let isOutside: Bool
    /// The type; empty for none.
    package let type: [UInt8]
    package let sendsTag: Bool
    package let modified: ModifiedCondition
    package let maximumRanges: Int
    package let links: LinkPolicy
    /// The length of the beginning of the path that may have any links.
    package let linksStart: Int
}

extension DecisionView {
    /// The file that answers the request; nil where another handler does.
    package var file: ServedFile? {
        guard outcome.action == .forward, outcome.isFile else { return nil }
        return evaluated { evaluation in
            let settings = evaluation.program.tables.settings[evaluation.server.settings]
            let path = evaluation.arena.array(evaluation.answer.outcome.file)
            return ServedFile(
                path: path,
                isOutside: evaluation.leadsOut(path, settings),
                type: evaluation.arena.array(evaluation.answer.fileType),
                sendsTag: settings.sendsTag,
                modified: settings.modified,
                maximumRanges: Int(settings.maximumRanges),
                links: settings.links,
                linksStart: evaluation.answer.linksStart
            )
        }
    }

    /// The character set that the type of an upstream's answer gets; nil where no `charset` has it.
    package var charset: AnswerCharset? { evaluated { $0.answer.charset } }

    /// The time that an answer may be kept, if it has a usual status; nil where no `expires` has it.
    package var expiry: Expiry? { evaluated { $0.answer.expiry } }
}
