import Dispatch

private let waiting = DispatchQueue(label: "tests.waiting", attributes: .concurrent)

/// Suspends until the semaphore is signalled.
func signal(of semaphore: DispatchSemaphore) async {
  await withCheckedContinuation { continuation in
    waiting.async {
      semaphore.wait()
      continuation.resume()
    }
  }
}

/// Suspends until something holds of which nobody tells.
func signal(until isMet: @escaping @Sendable () -> Bool) async {
  while !isMet() { await Task.yield() }
}
