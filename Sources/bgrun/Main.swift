import BGRun

@main
struct Main {
  static func main() {
    CommandLineTool.main()
  }
}
