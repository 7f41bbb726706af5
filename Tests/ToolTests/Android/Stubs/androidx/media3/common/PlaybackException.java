package androidx.media3.common;

public class PlaybackException extends Exception {
    public final int errorCode;

    public PlaybackException(int errorCode) {
        this.errorCode = errorCode;
    }
}
