import Fuzzing
import Testing

/// The real programs, started, asked and killed from outside.
///
/// Tests with a ``Fixture`` are admitted a few at a time; the others are short.
@Suite(.timeLimit(.minutes(TestSize.isLong ? 60 : 15)))
struct EndToEnd {}
