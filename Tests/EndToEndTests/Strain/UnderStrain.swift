import Testing

/// What loads the machine, fills memory or breaks disks: one test after another, so that none disturbs another.
@Suite("Under strain,", .serialized)
enum UnderStrain {}
