import Kernel
import Web

/// The origin of a request in words: a place, and a browser or app.
enum OriginText {
    /// Returns the rows for a page, without what is unknown.
    ///
    /// - Parameters:
    ///   - address: The address of the request; empty where it is unknown.
    ///   - agent: The browser and the system, as ``AgentFamily`` describes them.
    ///   - visitor: The address of the person who reads the page; `nil` where it is unknown.
    ///   - texts: The language of the page.
    /// - Returns: The rows.
    static func rows(
        address: String,
        agent: String,
        seenFrom visitor: NetworkAddress?,
        in texts: LocalizedStrings
    ) -> [(label: String, value: String)] {
        let place = (label: texts[ConfirmKey.address], value: place(address, seenFrom: visitor, in: texts))
        let program = (label: texts[ConfirmKey.agent], value: self.agent(agent, in: texts))
        return [place, program].filter { !$0.value.isEmpty }
    }

    /// Returns the place of an address: words for one near the reader or the server, and any other address itself.
    ///
    /// To a reader elsewhere a private address is in the server's own network. Otherwise an attacker there would seem
    /// to be in theirs.
    static func place(_ address: String, seenFrom visitor: NetworkAddress?, in texts: LocalizedStrings) -> String {
        guard let origin = NetworkAddress(address), origin.reach != .world else { return address }
        return visitor.flatMap { nearby(origin, seenFrom: $0, in: texts) } ?? texts[ConfirmKey.serverNetwork]
    }

    /// Returns the words for a place near the reader; `nil` for any other place.
    static func nearby(
        _ origin: NetworkAddress,
        seenFrom visitor: NetworkAddress,
        in texts: LocalizedStrings
    ) -> String? {
        switch (origin.reach, visitor.reach) {
        case (.machine, .machine): texts[ConfirmKey.thisComputer]
        case (.machine, .local), (.local, .machine), (.local, .local): texts[ConfirmKey.localNetwork]
        default: nil
        }
    }

    /// Returns the names of a browser and a system as a phrase: `Firefox on Windows`.
    static func agent(_ agent: String, in texts: LocalizedStrings) -> String {
        let names = agent.split(separator: ", ", maxSplits: 1)
        guard names.count == 2 else { return agent }
        return texts.text(ConfirmKey.agentOnSystem, with: String(names[0])).replacing("#", with: String(names[1]))
    }
}
