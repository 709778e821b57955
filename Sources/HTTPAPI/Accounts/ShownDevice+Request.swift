import Accounts
import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations

extension ShownDevice {
    init(_ request: Request) {
        self.init(cookies: SignInCookies.brought(request).digests, credential: request.deviceCredential)
    }
}
