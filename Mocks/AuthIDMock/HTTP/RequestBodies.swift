import FoundationEssentials
import Hummingbird
import MockServing
import NIOCore

extension Request {
    /// Reads a JSON body of at most 64 KiB.
    ///
    /// Throws ``ProviderError`` 400 with what is wrong with it.
    func json<Value: Decodable>(_ type: Value.Type, in context: MockContext) async throws -> Value {
        let buffer = try await body.collect(upTo: context.maxUploadSize)
        do {
            return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            throw ProviderError.invalidRequest(error.explanation)
        }
    }

    /// Reads a form body of at most 64 KiB.
    func form(in context: MockContext) async throws -> FormFields {
        FormFields(String(buffer: try await body.collect(upTo: context.maxUploadSize)))
    }
}
