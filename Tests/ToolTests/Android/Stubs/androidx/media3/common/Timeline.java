package androidx.media3.common;

public abstract class Timeline {
    public static final class Window {
        public MediaItem mediaItem;
    }

    public abstract Window getWindow(int windowIndex, Window window);
}
