/// Reads the senders' accounts by the numbers of the store's dictionary.
struct AccountReader {
    private let scanner: any PlayScanner

    init(_ scanner: any PlayScanner) {
        self.scanner = scanner
    }

    /// Visits the accounts received in a stretch of time, and of those before it the highest of each of the same senders, in
    /// order of receipt.
    ///
    /// - Parameter receipts: ms since 1970; nil: all times.
    /// - Throws: what the store says.
    func read(_ receipts: Range<Int64>?, _ visit: (Account) -> Void) throws {
        var highest: [Int: Account] = [:]
        var accounts: [Account] = []
        let start = receipts?.lowerBound ?? .min
        try scanner.accounts(receivedBefore: receipts?.upperBound ?? .max) { account in
            if account.receivedAt >= start {
                accounts.append(account)
            } else if highest[account.sender].map({ account.outdoes($0) }) != false {
                highest[account.sender] = account
            }
        }
        let numbers = try numbers(of: Set(accounts.map(\.sender)), others: Set(highest.keys))
        accounts += highest.values
        accounts.sort { $0.precedes($1) }
        for var account in accounts {
            guard let number = numbers[account.sender] else { continue }
            account.sender = number
            visit(account)
        }
    }

    /// One number for all entries of a name.
    ///
    /// - Parameter others: entries that count where they have the name of one of the senders.
    private func numbers(of senders: Set<Int>, others: Set<Int>) throws -> [Int: Int] {
        var names: [ByteText: Int] = [:]
        var numbers: [Int: Int] = [:]
        try scanner.senders { entry, name in
            guard senders.contains(entry) else { return }
            let number = names[ByteText(name), default: names.count]
            names[ByteText(name)] = number
            numbers[entry] = number
        }
        if !others.isSubset(of: senders) {
            try scanner.senders { entry, name in
                if numbers[entry] == nil, others.contains(entry) { numbers[entry] = names[ByteText(name)] }
            }
        }
        return numbers
    }
}

extension Account {
    fileprivate func precedes(_ other: Account) -> Bool {
        (receivedAt, number) < (other.receivedAt, other.number)
    }

    /// Of two with one sequence the first received stands.
    fileprivate func outdoes(_ other: Account) -> Bool {
        sequence != other.sequence ? sequence > other.sequence : precedes(other)
    }
}
