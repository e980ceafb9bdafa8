import JobManifest
import JobModel
import Testing
import YAMLSource

@Suite("Each value of a job has an origin")
struct ProvenanceTests {
  @Test func `own, default and built-in values are told apart, with their places`() throws {
    let set = TestMachine.load(
      """
      version: 1
      defaults:
        timeLimit: 5m
        retry: {maxAttempts: 3}
      jobs:
        - identifier: com.example.job
          command: ["true"]
          network: any
          retry: {backoff: linear}
      """)
    let values = try #require(
      set.provenance.values(of: JobIdentifier("com.example.job"), kind: .processing))
    func value(_ field: FieldID) -> Provenance.Value? { values.first { $0.field == field } }
    #expect(value(.network)?.origin == .job)
    #expect(value(.network)?.text == "any")
    #expect(value(.network)?.place?.path == "jobs.yaml")
    #expect(value(.network)?.place?.position.line == 8)
    #expect(value(.network)?.place?.position.column == 14)
    #expect(value(.timeLimit)?.origin == .defaults)
    #expect(value(.timeLimit)?.place?.position.line == 3)
    #expect(value(.maxAttempts)?.origin == .defaults)
    #expect(value(.backoff)?.origin == .job)
    #expect(value(.maxRunning)?.origin == .builtIn)
    #expect(value(.maxRunning)?.text == "1")
    #expect(value(.maxRunning)?.place == nil)
    #expect(value(.title) == nil)
  }

  @Test func `an identifier that isn't there has none`() {
    let set = TestMachine.load("version: 1\njobs: []\n")
    #expect(set.provenance.values(of: JobIdentifier("com.example.x"), kind: .processing) == nil)
  }
}
