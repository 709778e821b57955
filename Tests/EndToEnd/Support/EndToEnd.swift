import Testing

/// The real programs, started, asked and killed from outside.
///
/// What stands on a ``Stage`` is admitted a few at a time; the rest is short.
@Suite(.timeLimit(.minutes(10)))
struct EndToEnd {}
