package androidx.media3.exoplayer.analytics;

import java.util.ArrayList;
import java.util.List;

/** What the reference uses of Media3's class of this name, with its names, types and numbers, filled by a test. */
public final class PlaybackStats {
    public static final int PLAYBACK_STATE_JOINING_FOREGROUND = 2;
    public static final int PLAYBACK_STATE_PLAYING = 3;
    public static final int PLAYBACK_STATE_PAUSED = 4;
    public static final int PLAYBACK_STATE_SEEKING = 5;
    public static final int PLAYBACK_STATE_BUFFERING = 6;
    public static final int PLAYBACK_STATE_FAILED = 13;
    public static final int PLAYBACK_STATE_ABANDONED = 15;

    public static final class EventTimeAndPlaybackState {
        public final AnalyticsListener.EventTime eventTime;
        public final int playbackState;

        public EventTimeAndPlaybackState(AnalyticsListener.EventTime eventTime, int playbackState) {
            this.eventTime = eventTime;
            this.playbackState = playbackState;
        }
    }

    public static final class EventTimeAndException {
        public final AnalyticsListener.EventTime eventTime;
        public final Exception exception;

        public EventTimeAndException(AnalyticsListener.EventTime eventTime, Exception exception) {
            this.eventTime = eventTime;
            this.exception = exception;
        }
    }

    public final List<EventTimeAndPlaybackState> playbackStateHistory = new ArrayList<>();
    public final List<EventTimeAndException> fatalErrorHistory = new ArrayList<>();
    public int validJoinTimeCount;
    public long totalValidJoinTimeMs;
    public long totalBandwidthBytes;
    private final long[] durations = new long[16];
    private int bitrate = -1;

    /** Adds a stretch to the history. */
    public PlaybackStats in(int state, long ms) {
        playbackStateHistory.add(new EventTimeAndPlaybackState(null, state));
        durations[state] += ms;
        return this;
    }

    public PlaybackStats joined(long ms) {
        validJoinTimeCount = 1;
        totalValidJoinTimeMs = ms;
        return this;
    }

    public PlaybackStats loaded(int bitrate, long bytes) {
        this.bitrate = bitrate;
        totalBandwidthBytes = bytes;
        return this;
    }

    public PlaybackStats failed(Exception exception) {
        fatalErrorHistory.add(new EventTimeAndException(null, exception));
        return this;
    }

    public long getPlaybackStateDurationMs(int playbackState) {
        return durations[playbackState];
    }

    public long getTotalPlayTimeMs() {
        return durations[PLAYBACK_STATE_PLAYING];
    }

    public int getMeanVideoFormatBitrate() {
        return bitrate;
    }
}
