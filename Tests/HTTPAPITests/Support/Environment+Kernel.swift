import Kernel

/// The clock, ids and randomness of Kernel; Hummingbird has a type of the same name for environment variables.
typealias Environment = Kernel.Environment
