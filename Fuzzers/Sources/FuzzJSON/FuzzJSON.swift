import ShuntAppLinks

/// JSON texts, as both files of app links: what is read is written in one form, which reads as the same; what is not has its
/// mistakes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: start, count: count))
    check(text, limit: AppSiteAssociation.sizeLimit) { bytes throws(AppLinksError) in
        try AppSiteAssociation(reading: bytes).json()
    }
    check(text, limit: .max) { bytes throws(AppLinksError) in
        try AssetLinks(reading: bytes).json()
    }
    return 0
}

private func check(_ text: [UInt8], limit: Int, _ rewrite: ([UInt8]) throws(AppLinksError) -> [UInt8]) {
    let written: [UInt8]
    do throws(AppLinksError) {
        written = try rewrite(text)
    } catch {
        precondition(!error.diagnostics.isEmpty && !error.description.isEmpty)
        return
    }
    guard written.count <= limit else { return }
    precondition((try? rewrite(written)) == written)
}

#if UNGUIDED
import UnguidedRuns

@main
enum Program {
    static func main() { runUnguided(fuzzJSON) }
}
#endif
