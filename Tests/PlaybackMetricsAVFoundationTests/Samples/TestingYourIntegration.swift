// What the code of the article "Testing your integration" takes for granted.

import PlaybackMetricsClient

struct Feed {
    let metrics: any PlaybackMetrics

    func scroll(past clips: Int) {}
}
