package import ShuntCore

/// The gates of a level besides `allow` and `deny`, and the way in which all of them count.
package struct AccessGates: Sendable {
    /// True if one gate that lets a request in is enough: `satisfy any`.
    package var isOneEnough = false
    /// The template of `auth_basic`.
    package var realm = TemplateIndex.none
    /// The template of `auth_basic_user_file`.
    package var passwordFile = TemplateIndex.none

    package init() {}
}
