/// The devices that a file is for.
enum AppLinkPlatform: Sendable, Hashable {
    /// Patterns are compared encoded, wildcards go back, and slashes at the end of a path do not count.
    case apple
    /// Patterns are compared decoded, a `*` ends at the first place of the character after it, and every slash counts.
    case android
}
