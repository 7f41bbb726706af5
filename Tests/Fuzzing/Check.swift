/// What has to hold for every input: without it the process ends, and the fuzzer keeps the input.
func check(_ isSo: Bool, _ what: @autoclosure () -> String) {
    if !isSo { fatalError(what()) }
}
