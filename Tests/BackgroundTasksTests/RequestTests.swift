import BackgroundTasks
import Foundation
import Testing

@Suite("Requests and errors of Apple's interface")
struct RequestTests {
  @Test func `requests have Apple's defaults`() {
    let processing = BGProcessingTaskRequest(identifier: "a")
    #expect(!processing.requiresExternalPower)
    #expect(!processing.requiresNetworkConnectivity)
    #expect(processing.earliestBeginDate == nil)
    let continued = BGContinuedProcessingTaskRequest(identifier: "a", title: "t", subtitle: "s")
    #expect(continued.strategy == .queue)
    #expect(continued.requiredResources == [])
    typealias Strategy = BGContinuedProcessingTaskRequest.SubmissionStrategy
    #expect(Strategy.fail.rawValue == 0)
    #expect(Strategy.queue.rawValue == 1)
    #expect(BGContinuedProcessingTaskRequest.Resources.gpu.rawValue == 1)
  }

  @Test func `a copy has everything, and changes of one don't reach the other`() throws {
    let date = Date(timeIntervalSince1970: 1)
    let processing = BGProcessingTaskRequest(identifier: "a")
    processing.requiresExternalPower = true
    processing.requiresNetworkConnectivity = true
    processing.earliestBeginDate = date
    let copy = try #require(processing.copy() as? BGProcessingTaskRequest)
    #expect(copy.identifier == "a")
    #expect(copy.requiresExternalPower && copy.requiresNetworkConnectivity)
    #expect(copy.earliestBeginDate == date)
    copy.requiresExternalPower = false
    #expect(processing.requiresExternalPower)

    let continued = BGContinuedProcessingTaskRequest(identifier: "a", title: "t", subtitle: "s")
    continued.strategy = .fail
    continued.requiredResources = .gpu
    let other = try #require(continued.copy() as? BGContinuedProcessingTaskRequest)
    #expect(other.title == "t" && other.subtitle == "s")
    #expect(other.strategy == .fail && other.requiredResources == .gpu)

    #expect(BGAppRefreshTaskRequest(identifier: "a").copy() is BGAppRefreshTaskRequest)
  }

  @Test(
    arguments: [
      (BGTaskScheduler.Error.unavailable, 1), (.tooManyPendingTaskRequests, 2), (.notPermitted, 3),
      (.immediateRunIneligible, 4),
    ] as [(BGTaskScheduler.Error.Code, Int)])
  func `SB6: every error has Apple's domain and code, and a sentence`(
    code: BGTaskScheduler.Error.Code, number: Int
  ) throws {
    let error: any Error = BGTaskScheduler.Error(
      code, userInfo: [NSLocalizedDescriptionKey: "a sentence"])
    #expect((error as? BGTaskScheduler.Error)?.code == code)
    #expect(BGTaskScheduler.errorDomain == "BGTaskSchedulerErrorDomain")
    let bridged = try #require(error as? any CustomNSError)
    #expect(bridged.errorCode == number)
    #expect(type(of: bridged).errorDomain == "BGTaskSchedulerErrorDomain")
    #expect(error.localizedDescription == "a sentence")
    #expect((error as NSError).code == number)
    #expect((error as NSError).domain == "BGTaskSchedulerErrorDomain")
    #expect("\(error)" == "\(code): a sentence")
  }

  @Test func `SB6: an error keeps what it was made with, and is told apart by it`() {
    let underlying = CancellationError()
    let error = BGTaskScheduler.Error(
      .unavailable, userInfo: [NSUnderlyingErrorKey: underlying, "attempts": 3])
    #expect(error.userInfo["attempts"] as? Int == 3)
    #expect((error as NSError).userInfo["attempts"] as? Int == 3)
    #expect(error.errorUserInfo[NSUnderlyingErrorKey] is CancellationError)
    #expect(error.localizedDescription == "unavailable")
    #expect(error != BGTaskScheduler.Error(.unavailable))
    #expect(BGTaskScheduler.Error(.unavailable) == BGTaskScheduler.Error(.unavailable))
    #expect(BGTaskScheduler.Error(.unavailable) != BGTaskScheduler.Error(.notPermitted))
  }

  @Test func `SB6: an error is caught by its name, and by no other`() {
    func name(_ error: any Error) -> String {
      do {
        throw error
      } catch BGTaskScheduler.Error.notPermitted {
        return "notPermitted"
      } catch BGTaskScheduler.Error.unavailable {
        return "unavailable"
      } catch {
        return "another"
      }
    }
    #expect(name(BGTaskScheduler.Error(.notPermitted)) == "notPermitted")
    #expect(name(BGTaskScheduler.Error(.unavailable)) == "unavailable")
    #expect(name(BGTaskScheduler.Error(.immediateRunIneligible)) == "another")
    #expect(name(CancellationError()) == "another")
  }
}
