#if Fleet
public import Shunt

extension FleetCarrier {
    /// The rules of a release, every byte with the hash in its name, in a directory with its number in the name.
    ///
    /// - Throws: Where a manifest or blob is not there or is another one.
    public func archive(of release: Release, limits: Manifest.Limits = Manifest.Limits()) async throws -> RuleArchive {
        ReleaseFiles.archive(try await files(of: release, limits: limits).contents, at: "release-\(release.sequence)")
    }

    func files(
        of release: Release,
        limits: Manifest.Limits = Manifest.Limits()
    ) async throws -> (manifest: Manifest, contents: [String: [UInt8]]) {
        let bytes = try await manifest(release.set, limit: limits.manifestBytes)
        guard ContentName(of: bytes) == release.set else {
            throw FleetError("release \(release.sequence): the manifest \(release.set) is different")
        }
        let manifest = try Manifest(decoding: bytes, limits: limits)
        var blobs: [ContentName: [UInt8]] = [:]
        for name in manifest.blobs {
            let blob = try await blob(name, limit: manifest.length(of: name) ?? Manifest.blobLength)
            guard ContentName(of: blob) == name else {
                throw FleetError("release \(release.sequence): the blob \(name) is different")
            }
            blobs[name] = blob
        }
        let contents = try manifest.assemble { name throws(DocumentError) in
            guard let bytes = blobs[name] else { throw DocumentError("blob", "\(name) is missing") }
            return bytes
        }
        return (manifest, contents)
    }
}
#endif
