/// The watcher's future work: planned checks, starts to look up, and bindings to write.
struct WatchBacklog: Sendable {
    let schedule: WatchSchedule
    let uncertainCommits = UncertainCommits()
    let bindings = Bindings()
}
