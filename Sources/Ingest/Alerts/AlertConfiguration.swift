/// Which service levels are watched, and who is told.
package struct AlertConfiguration: Sendable {
    /// A file of service levels; nil: none are watched.
    package var levelFile: String?
    /// Gets what fires and what is resolved; nil: nobody is told.
    package var webhook: WebhookURL?
    /// Carries it there.
    package var carrier: (any WebhookCarrier)?
    /// Where readers find this server's reports, without a slash at its end; nil: the address that it listens on.
    package var publicURL: String?
    /// How often levels are judged, in ms.
    package var everyMs = 60_000
    /// How long the store may take for the levels that share a report.
    package var patience = Duration.seconds(7)
    /// The groups that a level may have; one with more is not judged, and the others are.
    package var mostGroups = ReportsRoute.mostGroups
    /// The database may lack plays for so many seconds; beyond that nothing is judged.
    package var longestLagSeconds = 60.0
    /// The wait after a delivery that failed and the longest, in ms; it doubles from one to the other.
    package var firstRetryMs = 1_000
    package var longestRetryMs = 300_000
    /// How long the receiver may take to answer, in seconds.
    package var receiverPatience = 10.0

    package init() {}
}
