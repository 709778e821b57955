import Admin
import Web

/// The pages of commands that change something: asked once with their command line, then carried out.
struct ConsoleActions: Sendable {
    let runner: CommandRunner
    let confirmations: Confirmations

    /// Returns the page after a form was sent; `nil` for an address that takes none.
    func content(of address: PageAddress, _ form: FormValues, token: String) async -> ConsoleContent? {
        switch address.parts.first {
        case "commands" where address.parts.count == 3:
            guard let command = runner.book[address.group, address.parts[2]] else { return nil }
            return await ask(command, form, token: token)
        case "confirm" where address.parts.count == 1: return await confirm(form)
        default: return nil
        }
    }

    private func ask(_ command: ConsoleCommand, _ form: FormValues, token: String) async -> ConsoleContent {
        let words = command.words(form)
        var content = ConsoleContent.page("Do this?", current: command.group)
        let preview: (any CommandPreview)?
        do {
            preview = try command.check(words, runner.input)
        } catch {
            content.fault = (error as? AdminError)?.message ?? "\(error)"
            content.sections = [.init(name: command.title, forms: [.init(command, form, token: token)])]
            return content
        }
        let outlook = await outlook(preview)
        let key = confirmations.add(command, words)
        let form = ConsoleContent.Form(
            method: "post",
            path: "/confirm",
            formTitle: command.title,
            heads: .init(
                formLead: command.help.summary,
                details: command.help.details.nonEmpty,
                ends: outlook.sentence,
                line: words.text
            ),
            hidden: [.init(key: "token", value: token), .init(key: "confirmation", value: key)],
            buttons: .init(
                button: outlook.button ?? "Yes, do it",
                tone: command.buttonStyle.rawValue,
                back: command.back
            )
        )
        content.sections = [.init(name: "Question", forms: [form])]
        return content
    }

    /// Returns what a command would do now, or why that is not known, and its button's own words, if it has some.
    private func outlook(_ preview: (any CommandPreview)?) async -> (sentence: String?, button: String?) {
        guard let preview else { return (nil, nil) }
        switch await runner.outlook(preview) {
        case .success(let outlook): return (outlook.sentence, outlook.button)
        case .failure(let error): return ("What it would do now is not known: \(error.message)", nil)
        }
    }

    private func confirm(_ form: FormValues) async -> ConsoleContent {
        guard let waiting = form["confirmation"].flatMap({ confirmations.take($0) }) else {
            var content = ConsoleContent.page("Not again", current: "")
            content.fault = "This was confirmed already, or too long ago. Nothing was done now."
            return content
        }
        let command = waiting.command
        var content = ConsoleContent.page(command.title, current: command.group)
        var section = ConsoleContent.Section(name: "Result")
        section.lead = waiting.words.text
        switch await runner.run(command, waiting.words) {
        case .success(let outcome):
            content.notice = "Done."
            content.fault = outcome.problem
            section.body = .init(outcome, caption: command.title)
        case .failure(let error): content.fault = error.message
        }
        section.jumps = .init(all: [.init(path: command.back, label: "Back")])
        content.sections = [section]
        return content
    }
}

extension PageAddress {
    /// The group of a command's address.
    var group: String { parts.count > 1 && parts[1] != "daemon" ? parts[1] : "" }
}
