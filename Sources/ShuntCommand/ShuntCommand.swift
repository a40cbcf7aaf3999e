import ArgumentParser

@main
struct ShuntCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "shunt")
}
