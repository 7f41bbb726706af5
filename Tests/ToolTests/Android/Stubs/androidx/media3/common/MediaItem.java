package androidx.media3.common;

public final class MediaItem {
    public final String mediaId;

    public MediaItem(String mediaId) {
        this.mediaId = mediaId;
    }
}
