package androidx.media3.exoplayer.analytics;

public final class PlaybackStatsListener implements AnalyticsListener {
    public interface Callback {
        void onPlaybackStatsReady(EventTime eventTime, PlaybackStats playbackStats);
    }

    public PlaybackStatsListener(boolean keepHistory, Callback callback) {}
}
