import Kernel

// How the operator changes and removes clients of the database.
extension ClientService {
    /// Changes a client's metadata.
    ///
    /// The client keeps its secrets, its keys and its sessions. What a session may no longer have ends with its next
    /// refresh.
    /// - Returns: The changed client.
    /// - Throws: ``ClientError`` with all faults at once; ``StoreError``.
    package func change(_ id: String, _ change: ClientChange) async throws -> OAuthClient {
        guard !change.names.isEmpty || !change.unreadable.isEmpty else { throw ClientError.nothingToChange }
        let (algorithms, themeFaults) = (identityAlgorithms(), themeFaults(of: change))
        let detail = change.names.joined(separator: " ")
        return try await self.change(id, recording: .changed, detail: detail) { stored, transaction in
            let changed = try self.changed(stored.client, by: change, algorithms: algorithms, themeFaults: themeFaults)
            try self.store.replace(changed, in: transaction)
        }.client
    }

    /// Removes a client of the database, after ending its sessions and requests and revoking its consents.
    ///
    /// The client is disabled first, so that it gets nothing new meanwhile. After a crash it is still disabled, and the
    /// same command removes it.
    /// - Throws: ``ClientError``, ``StoreError``.
    package func remove(_ id: String) async throws {
        _ = try await setEnabled(id, false)
        try await unitOfWork.run { [store, auditLog, directory] transaction in
            guard try store.remove(id, in: transaction) else { throw ClientError.unknown(id: id) }
            try auditLog.append(AuditRecord(ClientAuditEvent.removed, of: id, account: nil), in: transaction)
            directory.remove(id, whenDurable: transaction)
        }
        directory.changed()
    }

    /// Returns all that is wrong with a new theme.
    private func themeFaults(of change: ClientChange) -> [OAuthError] {
        guard let theme = change.appearance.theme, !theme.values.isEmpty else { return [] }
        guard theme.text.utf8.count <= ClientTheme.longest else {
            return [OAuthError(.invalidClientMetadata, "A theme has at most \(ClientTheme.longest) bytes.")]
        }
        return rules.themeFaults(theme).map { OAuthError(.invalidClientMetadata, $0) }
    }

    /// Returns the changed client, or throws all its faults.
    ///
    /// The operator's word counts, also for a client that registered itself.
    private func changed(
        _ client: OAuthClient,
        by change: ClientChange,
        algorithms: [IdentityAlgorithm],
        themeFaults: [OAuthError]
    ) throws(ClientError) -> OAuthClient {
        let metadata = change.metadata(of: client)
        let unreadable = change.unreadable.map { OAuthError(.invalidClientMetadata, $0) }
        let faults =
            unreadable + metadata.faults(origin: .added, notices: rules.notices, algorithms: algorithms) + themeFaults
        guard faults.isEmpty else { throw .metadata(faults) }
        do throws(OAuthError) {
            var changed = try metadata.client(
                id: client.id,
                origin: .added,
                secrets: [],
                notices: rules.notices,
                algorithms: algorithms
            )
            changed.origin = client.origin
            changed.isEnabled = client.isEnabled
            changed.authentication = client.authentication
            let theme = change.appearance.theme ?? client.appearance.theme
            changed.appearance.theme = theme.flatMap { $0.values.isEmpty ? nil : $0 }
            return changed
        } catch { throw .metadata(error) }
    }
}
