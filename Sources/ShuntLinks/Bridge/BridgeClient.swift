/// The client for pages: one module of JavaScript without dependencies, and its types for TypeScript.
public enum BridgeClient {
    /// The text of `bridge.js`, a module of ECMAScript, in UTF-8.
    public static let javaScript: [UInt8] = PackageResources.bridge_js
    /// The text of `bridge.d.ts`, in UTF-8.
    public static let types: [UInt8] = PackageResources.bridge_d_ts
}
