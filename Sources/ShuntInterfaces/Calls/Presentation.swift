/// The presentation of a screen: data for the layer that shows it.
///
/// Words that are not known are kept unchanged.
public struct Presentation: RawRepresentable, Codable, Hashable, Sendable {
    /// The word.
    public var rawValue: String

    /// Makes one of its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not shown.
    public static let none = Presentation(rawValue: "none")
    /// In the place of everything.
    public static let root = Presentation(rawValue: "root")
    /// On the stack of the navigation.
    public static let push = Presentation(rawValue: "push")
    /// Over what is there.
    public static let modal = Presentation(rawValue: "modal")
    /// As a tab.
    public static let tab = Presentation(rawValue: "tab")
}
