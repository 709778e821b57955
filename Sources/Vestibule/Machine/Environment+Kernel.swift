import Kernel

/// Kernel's clock, ids and randomness, not Hummingbird's type of that name for environment variables.
typealias Environment = Kernel.Environment
