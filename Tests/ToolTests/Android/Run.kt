import androidx.media3.common.MediaItem
import androidx.media3.common.PlaybackException
import androidx.media3.common.Timeline
import androidx.media3.exoplayer.analytics.AnalyticsListener
import androidx.media3.exoplayer.analytics.PlaybackStats
import androidx.media3.exoplayer.analytics.PlaybackStatsListener

/** Plays that a player could have told of, sent to a server by the class of the documentation. */
fun main(words: Array<String>) {
    val plays = Plays(words[0], words[1], "android-session") { mapOf("cdn" to "fastly", "cdnRegion" to "eu-west") }
    val preloading = Plays(words[0], words[1], "android-session", preloads = true)
    PlaybackStatsListener(true, plays)

    val (joining, playing, paused) = Triple(2, PlaybackStats.PLAYBACK_STATE_PLAYING, PlaybackStats.PLAYBACK_STATE_PAUSED)
    val (seeking, buffering, failed, abandoned) = listOf(5, 6, 13, 15)
    fun tell(plays: Plays, clip: String, stats: PlaybackStats) {
        val timeline = object : Timeline() {
            override fun getWindow(windowIndex: Int, window: Window) = window.apply { mediaItem = MediaItem(clip) }
        }
        plays.onPlaybackStatsReady(AnalyticsListener.EventTime(timeline, 0), stats)
    }

    tell(plays, "stalled", PlaybackStats().`in`(joining, 412).joined(412).`in`(playing, 9_000).`in`(buffering, 700)
        .`in`(playing, 4_000).`in`(seeking, 350).`in`(playing, 2_000).`in`(buffering, 200).`in`(paused, 5_000).`in`(abandoned, 0)
        .loaded(1_800_000, 4_000_000))
    tell(plays, "given-up", PlaybackStats().`in`(joining, 3_100).`in`(abandoned, 0))
    tell(plays, "refused", PlaybackStats().`in`(joining, 800).`in`(failed, 20).`in`(abandoned, 0).failed(PlaybackException(2_004)))
    tell(plays, "recovered", PlaybackStats().`in`(joining, 500).`in`(failed, 20).`in`(buffering, 300).`in`(playing, 6_000)
        .`in`(abandoned, 0).failed(PlaybackException(2_001)))
    tell(plays, "never-shown", PlaybackStats().`in`(abandoned, 0))
    tell(preloading, "preloaded", PlaybackStats().`in`(joining, 2_500).joined(2_500).`in`(playing, 1_000).`in`(abandoned, 0))
    println("${plays.flush()} ${preloading.flush()}")
    println(Plays("http://127.0.0.1:1/", words[1], "s").also { tell(it, "unsent", PlaybackStats().`in`(playing, 10)) }.flush())
}
