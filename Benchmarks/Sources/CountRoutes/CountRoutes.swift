import RouteTables

/// Looks up the paths of one table a number of times and nothing else, so that a tool outside can count what it costs.
@main
struct CountRoutes {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 2, let count = Int(arguments[1]),
            let questions = RouteQuestions.all.first(where: { $0.name == arguments[0] })
        else {
            // The names, and a number of lookups that asks each question equally often.
            for questions in RouteQuestions.all {
                let number = questions.questions.count
                print("\(questions.name)\t\((20_000 / number + 1) * number)")
            }
            return
        }
        let routes = try ShuntRoutes(questions)
        print(routes.run(from: 0, count: routes.count + count))
    }
}
