package import JobModel

extension JSONValue {
  /// An array with one element a line, which is what people page through and `jq` reads.
  package static func lines(_ elements: some Sequence<JSONValue>, to sink: TextSink) {
    var isFirst = true
    for element in elements {
      sink.write(isFirst ? "[\n  " : ",\n  ")
      sink.write(element.text())
      isFirst = false
    }
    sink.write(isFirst ? "[]\n" : "\n]\n")
  }
}
