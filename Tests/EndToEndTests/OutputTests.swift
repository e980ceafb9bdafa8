import Testing

@Suite("The output of commands, in real pipes")
struct OutputTests {
  private let place: Workplace

  init() throws {
    place = try Workplace(
      """
        - identifier: com.example.hello
          command: [echo, hello]
          schedule: {every: 1h}

      """)
  }

  private func shell(_ line: String) throws -> Finished {
    try RunningProgram(
      ["/bin/bash", "-c", line],
      environment: [
        "BGRUN": place.program, "BGRUN_STATE": place.state, "HOME": place.folder,
        "PATH": "/usr/bin:/bin",
      ], in: place.folder
    ).waitForEnd()
  }

  @Test func `a reader that goes away ends a command quietly, with a shell's code for SIGPIPE`()
    throws
  {
    // A named pipe whose only reader has been closed: nobody can read, whatever the timing.
    let finished = try shell(
      "mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; $BGRUN help run >&4; echo $?")
    #expect(finished.output == "141\n")
    #expect(finished.errors == "")
  }

  @Test func `a full disk is said, and isn't done`() throws {
    let finished = try shell("$BGRUN help run > /dev/full")
    #expect(finished.status == 2)
    #expect(
      finished.errors == "bgrun: can't write the standard output: No space left on device\n")
  }

  @Test func `a closed standard output is said, and isn't done`() throws {
    let finished = try shell("$BGRUN --version >&-")
    #expect(finished.status == 2)
    #expect(finished.errors == "bgrun: can't write the standard output: Bad file descriptor\n")
  }

  @Test func `what has run is in the history that another process reads`() throws {
    let finished = try shell(
      "$BGRUN run bgrun.yaml --once 2>&1 && $BGRUN history --json 2>/dev/null")
    #expect(finished.status == 0)
    #expect(finished.output.contains(#""identifier":"com.example.hello","#))
    #expect(finished.output.contains(#""outcome":"succeeded""#))
  }
}
