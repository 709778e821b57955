// Ids are unique, not secret. A value that must not be guessed is a `newSecret()` or a `newUUID()`.
extension Environment {
    /// Returns a new id that belongs to no account: in a random bucket, where the database has buckets.
    package func newID<ID: EntityID>(_ type: ID.Type = ID.self) -> ID { newID(in: { nil }) }

    /// Returns a new id of what belongs to an account, in the account's bucket.
    package func newID<ID: EntityID>(_ type: ID.Type = ID.self, of account: AccountID) -> ID {
        newID(in: { bucket(of: account) })
    }

    /// Returns a new id in a bucket.
    package func newID<ID: EntityID>(_ type: ID.Type = ID.self, in bucket: Bucket) -> ID { newID(in: { bucket }) }

    /// Returns the bucket of an id, and so of all that belongs to it.
    package func bucket<ID: EntityID>(of id: ID) -> Bucket { ids.bucket(of: id) }

    private func newID<ID: EntityID>(in bucket: () -> Bucket?) -> ID {
        ID(ids.make(ID.kind, at: now(), in: bucket, random: randomBytes(16)))
    }
}
