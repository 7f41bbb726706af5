import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Only where other people's programs are at hand: `make test-tools` installs them and sets the variable.
    static var tools: Self {
        .enabled(if: ProcessInfo.processInfo.environment["QOE_TEST_TOOLS"] == "1", "make test-tools runs it")
    }
}
