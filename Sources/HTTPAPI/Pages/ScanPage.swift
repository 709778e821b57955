import Kernel
import Operations
import Web

/// The page of a scan's progress, for the browser that began it.
enum ScanPage {
    static let template = PageTemplate<ScanContent>("scan")

    /// Returns the content for the layout.
    static func content(
        _ view: ScanView,
        at location: LandingPages.Location,
        in texts: LocalizedStrings
    ) -> ScanContent {
        let again = view.hint == .linkOpened ? texts[SiteKey.openScan] : texts[ScanKey.again]
        return ScanContent(
            title: texts[ScanKey.title],
            page: location.page,
            secondsLeft: view.timeLeft.secondsRoundedUp,
            refresh: refresh(after: view.age),
            steps: ScanSteps.of(view.hint, in: texts),
            status: view.hint == .providerDegraded ? texts[ScriptKey.providerDegraded] : "",
            buttons: ScanContent.Buttons(
                again: view.leadsToScan ? again : nil,
                denialPath: view.isDeniable ? "\(location.page)/not-me" : nil
            ),
            module: "\(location.assets)/\(WebAssets.version(in: texts))/scan-wait.js"
        )
    }

    /// Returns the seconds after which a browser without scripts loads the page again.
    ///
    /// They grow with the time since the start. The operation ends at its deadline, and its last page is not loaded
    /// again.
    static func refresh(after age: Duration) -> Int {
        switch age {
        case ..<Duration.seconds(60): 3
        case ..<Duration.seconds(180): 6
        default: 15
        }
    }
}

/// The content of `pages/scan.mustache`.
struct ScanContent: Sendable {
    let title: String
    /// The address of the landing page.
    let page: String
    let secondsLeft: Int64
    /// The seconds after which a browser without scripts loads the page again.
    let refresh: Int
    let steps: [SignInWaitContent.Step]
    let status: String
    let buttons: Buttons
    /// The address of the module that follows the scan.
    let module: String

    struct Buttons: Sendable {
        /// The label of the button that leads to the scan; `nil` where no press leads there.
        let again: String?
        /// The address for "This wasn't me"; `nil` where the page never asked.
        let denialPath: String?
    }
}

/// The steps of a scan, on every page that waits for one.
enum ScanSteps {
    /// The hints in the order of the steps.
    private static let hints: [PendingHint] = [.created, .linkOpened, .userInProvider, .processing]

    static func of(_ hint: PendingHint, in texts: LocalizedStrings) -> [SignInWaitContent.Step] {
        let now = hints.firstIndex(of: hint)
        return [SiteKey.stepOpen, .stepStart, .stepScan, .stepJudge].enumerated().map { index, key in
            SignInWaitContent.Step(name: texts[key], isPast: now.map { index < $0 } ?? false, isNow: index == now)
        }
    }
}
