internal import Platform
internal import PlaybackEvents

extension StoreDictionaries {
    /// The texts of the last play that plays of a request mostly share, and the numbers that they got.
    struct Previous {
        fileprivate var delivery = Play.Four.absent
        fileprivate var regionFrom: Play.RegionSource?
        fileprivate var device = Play.Four.absent
        fileprivate var session = TextSlice.absent
        fileprivate var deliveryId: UInt32 = 0
        fileprivate var deviceId: UInt32 = 0
        fileprivate var runId: UInt32 = 0

        init() {}
    }

    /// Fills in the numbers of a play's texts.
    ///
    /// - Parameters:
    ///   - text: what the slices of the play and of the previous one refer to.
    ///   - previous: what the last play of the same text left here.
    /// - Returns: false when a dictionary has no more numbers.
    mutating func encode(
        _ play: Play, text: RawSpan, after previous: inout Previous, into stored: inout StoredPlay
    ) -> Bool {
        guard let video = videos.id(of: text.extracting(play.videoId.range)),
            let error = play.error.isAbsent ? 0 : errors.id(of: text.extracting(play.error.range)),
            let tagSet = play.tags.isAbsent ? 0 : tagSets.id(of: text.extracting(play.tags.range))
        else { return false }
        stored.video = video
        stored.error = error
        stored.tagSet = tagSet

        let delivery = Play.Four(play.cdn, play.cdnRegion, play.network, play.source)
        if !text.areSame(delivery, previous.delivery) || play.regionFrom != previous.regionFrom {
            guard let id = number(of: delivery, play.regionFrom, text) else { return false }
            previous.deliveryId = id
            previous.regionFrom = play.regionFrom
        }
        let device = Play.Four(play.appVersion, play.osVersion, play.deviceModel, play.player)
        let isSameDevice = text.areSame(device, previous.device)
        if !isSameDevice {
            guard let id = number(of: device, text) else { return false }
            previous.deviceId = id
        }
        if !isSameDevice || !text.isSame(play.sessionId, previous.session) {
            guard let id = number(of: play.sessionId, device: previous.deviceId, text) else { return false }
            previous.runId = id
        }
        // Slices of the line at hand are the likelier to be in the processor's cache.
        previous.delivery = delivery
        previous.device = device
        previous.session = play.sessionId
        stored.delivery = previous.deliveryId
        stored.run = previous.runId
        return true
    }

    private mutating func number(
        of delivery: Play.Four, _ regionFrom: Play.RegionSource?, _ text: RawSpan
    ) -> UInt32? {
        guard setKey(delivery, text) else { return 0 }
        DictionaryKey.append(Int64(regionFrom?.rawValue ?? 0), to: &key)
        return key.withUnsafeBytes { deliveries.id(of: $0.bytes) }
    }

    private mutating func number(of device: Play.Four, _ text: RawSpan) -> UInt32? {
        guard setKey(device, text) else { return 0 }
        return key.withUnsafeBytes { devices.id(of: $0.bytes) }
    }

    private mutating func number(
        of session: TextSlice, device: UInt32, _ text: RawSpan
    ) -> UInt32? {
        if device == 0 && session.isAbsent { return 0 }
        key.removeAll(keepingCapacity: true)
        DictionaryKey.append(text.extracting(session.range), to: &key)
        DictionaryKey.append(Int64(device), to: &key)
        return key.withUnsafeBytes { runs.id(of: $0.bytes) }
    }

    /// Makes a key of four texts.
    ///
    /// - Returns: false when all of them are absent.
    private mutating func setKey(_ slices: Play.Four, _ text: RawSpan) -> Bool {
        key.removeAll(keepingCapacity: true)
        DictionaryKey.append(text.extracting(slices.first.range), to: &key)
        DictionaryKey.append(text.extracting(slices.second.range), to: &key)
        DictionaryKey.append(text.extracting(slices.third.range), to: &key)
        DictionaryKey.append(text.extracting(slices.fourth.range), to: &key)
        return !slices.isAbsent
    }
}

extension Play {
    /// Four texts that stand together in a dictionary.
    fileprivate struct Four {
        var first: TextSlice
        var second: TextSlice
        var third: TextSlice
        var fourth: TextSlice

        static let absent = Four(.absent, .absent, .absent, .absent)

        init(_ first: TextSlice, _ second: TextSlice, _ third: TextSlice, _ fourth: TextSlice) {
            (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
        }

        var isAbsent: Bool { first.isAbsent && second.isAbsent && third.isAbsent && fourth.isAbsent }
    }
}

extension RawSpan {
    fileprivate func isSame(_ one: TextSlice, _ other: TextSlice) -> Bool {
        one.count == other.count && (one.isAbsent || extracting(one.range).hasSameBytes(as: extracting(other.range)))
    }

    fileprivate func areSame(_ one: Play.Four, _ other: Play.Four) -> Bool {
        isSame(one.first, other.first) && isSame(one.second, other.second) && isSame(one.third, other.third)
            && isSame(one.fourth, other.fourth)
    }
}
