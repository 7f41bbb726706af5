package androidx.media3.exoplayer.analytics;

import androidx.media3.common.Timeline;

public interface AnalyticsListener {
    final class EventTime {
        public final Timeline timeline;
        public final int windowIndex;

        public EventTime(Timeline timeline, int windowIndex) {
            this.timeline = timeline;
            this.windowIndex = windowIndex;
        }
    }
}
