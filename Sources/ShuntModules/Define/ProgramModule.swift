@_exported public import ShuntCore
@_exported public import ShuntInterfaces

/// A part of a program: what it offers, what it needs, and what it does when it starts and stops.
public protocol ProgramModule<Input>: Sendable {
    /// The input of each scope of the module when it is attached.
    associatedtype Input: Sendable = NoValue

    /// The name in messages, logs and the catalogue; the type's name unless it is given.
    var name: String { get }

    /// Defines the module. Called once for an assembly, and does no work.
    func define(_ definition: inout ModuleDefinition<Input>)
}

extension ProgramModule {
    /// The type's name.
    public var name: String { "\(Self.self)" }
}

/// The time when a module starts.
@nonexhaustive
public enum ModuleLevel: Int, Sendable, Hashable {
    /// Before all normal modules, which it may not need.
    case basic
    /// After all basic modules.
    case normal
}
