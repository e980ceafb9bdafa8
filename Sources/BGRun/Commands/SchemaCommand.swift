import JobManifest

/// `bgrun schema`: the JSON Schema of manifests, for editors.
enum SchemaCommand {
  static let command = Command(
    "schema", summary: "the JSON Schema of manifests, for editors",
    discussion: [
      "Prints a JSON Schema (draft-07) made from the table of keys that validate itself reads by. "
        + "Editors with a YAML language server complete, check and explain keys with it, where the "
        + "first line of a manifest names it: '# yaml-language-server: $schema=PATH'.",
      "The schema knows which keys stand where, and what a value looks like. The rest only 'bgrun "
        + "validate' finds.",
    ],
    table: .init(
      "Found by 'bgrun validate' only, and why",
      ManifestSchema.onlyTheLoaderKnows.map { ($0.what, $0.why) }),
    examples: [
      .init(
        "bgrun schema > bgrun-manifest.schema.json", "The schema in a file, beside the manifests.")
    ],
    exitCodes: [
      (.done, "The schema was printed."),
      (.notDone, "The command line wasn't understood."),
    ],
    perform: { invocation throws(CommandFailure) in
      invocation.context.output.write(ManifestSchema.text)
      return .done
    })
}
