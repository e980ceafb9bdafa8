/// Goes through everything of a tree: each folder before what it holds, in the order of names.
package struct FolderWalk {
  private var pending: [FolderTree.Entry] = []
  private var isBegun = false

  package init() {}

  /// The next place of the tree; nil at the end.
  ///
  /// - Throws: what kept a folder from being read; the walk goes on behind it.
  package mutating func next(
    in tree: borrowing FolderTree
  ) throws(SystemError) -> FolderTree.Entry? {
    if !isBegun {
      isBegun = true
      pending = [try tree.topEntry]
    }
    guard let entry = pending.popLast() else { return nil }
    if entry.kind == .folder {
      pending += (try tree.entries(of: entry.place) ?? []).reversed()
    }
    return entry
  }
}
