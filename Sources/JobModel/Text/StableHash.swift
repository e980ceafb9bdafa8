/// A hash that is the same on every machine, in every version and process, unlike `Hasher`.
///
/// FNV-1a (64 bits, as published by Fowler, Noll and Vo) over the UTF-8 of each part, with a byte
/// between parts that UTF-8 never uses, so that ("ab", "c") and ("a", "bc") differ. FNV leaves the
/// upper bits of short texts almost alone, so a final mix spreads every input bit over the
/// result. It decides delays (PL18, LC9); it guards nothing.
package enum StableHash {
  /// The hash of a list of texts.
  package static func of(_ parts: [String]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      for byte in part.utf8 { absorb(byte, into: &hash) }
      absorb(0xff, into: &hash)
    }
    return mixed(hash)
  }

  private static func absorb(_ byte: UInt8, into hash: inout UInt64) {
    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  private static func mixed(_ hash: UInt64) -> UInt64 {
    var mixed = hash ^ (hash >> 33)
    mixed &*= 0xff51_afd7_ed55_8ccd
    mixed ^= mixed >> 33
    mixed &*= 0xc4ce_b9fe_1a85_ec53
    return mixed ^ (mixed >> 33)
  }
}
