import BGRun

/// The program: it has every command of bgrun, and its handlers are those of the iOS app.
@main
struct ColorFeed: BackgroundApp {
  func register(in app: HandlerRegistry) {
    BackgroundHandlers.register()
  }
}
