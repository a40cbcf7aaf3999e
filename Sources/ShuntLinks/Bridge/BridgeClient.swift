/// The client for pages: one module of JavaScript without dependencies, and its types for TypeScript.
public enum BridgeClient {
    /// The module, as `bridge.js`.
    public static let javaScript: [UInt8] = PackageResources.bridge_js
    /// The types, as `bridge.d.ts`.
    public static let types: [UInt8] = PackageResources.bridge_d_ts
}
