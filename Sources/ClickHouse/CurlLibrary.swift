internal import Glibc

/// libcurl, which Foundation's HTTP client stands on.
///
/// A program that holds the Swift runtime itself isn't linked with it, so that only who uses ClickHouse needs it: its calls are
/// bound when they are first made, to what has been loaded by then.
enum CurlLibrary {
    static let isThere = dlopen("libcurl.so.4", RTLD_NOW | RTLD_GLOBAL) != nil
}
