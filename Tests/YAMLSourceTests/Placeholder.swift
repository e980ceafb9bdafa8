// Placeholder until the first suite.
