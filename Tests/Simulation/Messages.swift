import Kernel
import MemoryStore

@testable import Operations

// The messages between daemons: numbered batches, which are late, lost and doubled.
extension History {
    /// Sends what daemons have announced, with an empty batch each second, and hands on what has arrived.
    func exchangeMessages() async {
        guard cluster != nil else { return }
        for index in daemons.indices where daemons[index].peer?.isRunning == true { send(from: index) }
        await deliver()
        for index in daemons.indices where violation == nil && daemons[index].peer?.isRunning == true {
            if daemons[index].peer?.senders.forgetSilent(at: time.now) == true {
                await at(index) { await takeGap() }
            }
        }
    }

    /// `isLast`: Whether the daemon stops in order, and says so.
    func send(from index: Int, isLast: Bool = false) {
        guard let peer = daemons[index].peer else { return }
        let messages = peer.feed.take()
        guard !messages.isEmpty || isLast || time.now - peer.sent.at >= .seconds(1) else { return }
        let texts = (isLast ? [messages, [.stopping]] : [messages]).enumerated().map { offset, messages in
            FeedBatch(sender: peer.sender, number: peer.sent.number + 1 + Int64(offset), messages: messages).text
        }
        daemons[index].peer?.sent = (peer.sent.number + Int64(texts.count), time.now)
        for text in texts {
            for receiver in daemons.indices where receiver != index && daemons[receiver].peer?.isUp == true {
                put(text, for: daemons[receiver].life)
            }
        }
    }

    private func put(_ text: String, for receiver: Int) {
        guard calm == 0 else {
            cluster?.packets.append(Packet(receiver: receiver, text: text, due: time.now))
            return
        }
        if random.happens(percent: 10) {
            census.lost += 1
            return
        }
        let copies = random.happens(percent: 5) ? 2 : 1
        for _ in 0..<copies {
            let delay = random.happens(percent: 75) ? 0 : random.below(random.happens(percent: 80) ? 200 : 1000)
            cluster?.packets.append(Packet(receiver: receiver, text: text, due: time.now + .milliseconds(delay)))
        }
    }

    /// A daemon and all others hear of each other, as it begins to listen.
    func introduce(_ newcomer: Int) {
        calm += 1
        defer { calm -= 1 }
        for index in daemons.indices where daemons[index].peer?.isUp == true {
            guard let peer = daemons[index].peer else { continue }
            let number = peer.sent.number + 1
            let batch = FeedBatch(sender: peer.sender, number: number, messages: peer.isPaused ? [] : peer.feed.take())
            daemons[index].peer?.sent = (number, time.now)
            for receiver in daemons.indices where receiver != index && daemons[receiver].peer?.isUp == true {
                put(batch.text, for: daemons[receiver].life)
            }
        }
    }

    private func deliver() async {
        let present = Set(daemons.filter { $0.peer?.isUp == true }.map(\.life))
        cluster?.packets.removeAll { !present.contains($0.receiver) }
        while violation == nil, let (place, index) = nextDelivery, let packet = cluster?.packets.remove(at: place) {
            await at(index) { await take(packet.text) }
        }
    }

    private var nextDelivery: (place: Int, daemon: Int)? {
        for (place, packet) in (cluster?.packets ?? []).enumerated() where packet.due <= time.now {
            let daemon = daemons.firstIndex { $0.life == packet.receiver && $0.peer?.isRunning == true }
            if let daemon { return (place, daemon) }
        }
        return nil
    }

    private func take(_ text: String) async {
        guard let batch = FeedBatch(text) else { return fail("a batch can't be read: \(text)") }
        if daemons[current].peer?.senders.note(batch, at: time.now) == false { await takeGap() }
        for message in batch.messages where violation == nil {
            let (present, now) = (life, time.now)
            if case .quieted(let key, let left) = message, let initiator = cluster?.quietKeys[key] {
                let end = now + .milliseconds(left)
                daemons[current].quiet[initiator] = max(daemons[current].quiet[initiator] ?? end, end)
            }
            await service.take(.message(message))
            census.delivered += 1
            guard life == present else { return }
        }
    }

    /// Messages were lost: the daemon reads everything again, several operations at the same time.
    func takeGap() async {
        census.gaps += 1
        note("\(daemons[current].peer?.node.node.text ?? "?") reads again after a gap")
        areAllReading = true
        await service.take(.gap)
        areAllReading = false
        // What was told meanwhile waits for the waiters to wake.
        await settleWaiters()
    }
}
