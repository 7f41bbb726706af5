internal import CMalloc

/// How the C library's allocator works.
enum MemoryPolicy {
    /// Gives large blocks back to the system as soon as they are freed.
    ///
    /// Left alone, glibc raises its bound for blocks of their own to the largest that was ever freed (up to 32 MiB), and
    /// keeps what is freed after that in up to eight arenas a core: a few bodies of 8 MiB then stay resident for ever,
    /// several times over, and a report keeps what its first look at the plays needed. Call it before the first thread.
    static func returnLargeBlocks() {
        mallopt(M_MMAP_THRESHOLD, 256 << 10)
        mallopt(M_TRIM_THRESHOLD, 1 << 20)
        mallopt(M_ARENA_MAX, 4)
    }
}
