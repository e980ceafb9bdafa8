/// What the store made of one proposed transition.
package enum Verdict: Hashable, Sendable {
  case applied(Applied)
  /// The store holds something that the proposer didn't know of; nothing was changed.
  case refused(Refusal)
  /// The transaction could not be made; nothing was changed and nothing is known to be wrong with
  /// the proposal (DU4).
  case failed(StoreFailure)

  /// What an applied transition brought.
  package enum Applied: Hashable, Sendable {
    case done
    /// A stored request, and the unstarted one that it replaced.
    case submitted(RequestID, replaced: RequestID?)
    /// A run was recorded; it may be launched.
    case claimed(RunNumber)
    /// Pending requests that were ended by a cancellation.
    case counted(Int)
    /// Ended runs that were removed, so that their output can go too.
    case pruned([RunNumber])
  }

  /// Why a proposal didn't fit what is there.
  package enum Refusal: Hashable, Sendable {
    /// The request is no longer pending, or never was.
    case notPending
    /// A run with the same identifier and key hasn't ended (SB1).
    case keyIsRunning(RunNumber)
    /// The run has ended already, or never was (ST1).
    case notRunning
    /// The question whether to wait for the run is no longer open: it has moved, or somebody else has
    /// answered (CP3).
    case notStalled
    /// The run has started: it can't be given back.
    case hasStarted
    /// The run belongs to another owner (ST1).
    case staleFence
    /// The anchor is another one: somebody else recorded these instants.
    case anchorMoved(WallInstant?)
    /// The instant has been recorded before (PL11).
    case instantExists
    /// More requests of the kind are pending than may be (SB2).
    case tooManyPending(Int)
    /// The proposer's own ownership was taken over.
    case ownerDeparted
  }
}

/// A store that could not do its work, in terms that a person can act on (DU4).
package struct StoreFailure: Error, Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    case diskFull
    case readOnly
    case damaged
    case busy
    case unreachable
    /// The store was written by a newer program.
    case tooNew
    case other
  }

  package var cause: Cause
  /// One sentence: what was attempted, on what, what to do.
  package var sentence: String

  package init(cause: Cause, sentence: String) {
    self.cause = cause
    self.sentence = sentence
  }
}
