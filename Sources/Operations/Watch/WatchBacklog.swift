/// The watcher's future work: planned checks, starts to look up, bindings to write, and operations to take over; with
/// what its last checks were answered.
struct WatchBacklog: Sendable {
    let schedule: WatchSchedule
    let ownership: Ownership
    let adoptions = Adoptions()
    let uncertainCommits = UncertainCommits()
    let bindings = Bindings()
    let exchanges = ExchangeLog()
}
