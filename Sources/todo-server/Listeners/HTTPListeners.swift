import Logging
import NIOPosix
import ToDoRPC
import ToDoServer
import ToDoTransport

#if HTTP
import ToDoHTTPTransport

/// Creates the HTTP listeners of the settings. Each prints its endpoint when it is ready.
///
/// - Parameters:
///   - phones: takes the positions of phones.
///   - identity: says who has signed in to the page.
///   - feeds: reads calendar feeds.
///   - exchange: takes the links that sign browsers in.
///   - opensSockets: whether every local user may open the files of Unix sockets.
func httpListeners(
  _ settings: ServerSettings, _ limits: ServerLimits, _ tls: ServerTLS?, _ sockets: InheritedSockets,
  _ phones: PhoneReports, _ identity: CallerIdentity, _ feeds: FeedReader,
  _ exchange: SignInExchange, opensSockets: Bool, on group: MultiThreadedEventLoopGroup,
  _ logger: Logger
) throws -> [any RPCListener] {
  settings.httpEndpoints.map { endpoint in
    var configuration = HTTPListener.Configuration(endpoint: endpoint)
    configuration.limits = limits
    configuration.tls = tls
    configuration.inheritedSockets = sockets
    configuration.opensSocket = opensSockets
    configuration.origins = settings.httpOrigins
    configuration.servesReflection = settings.servesGRPCReflection
    configuration.endpoints =
      PhoneEndpoint.Program.endpoints(phones) + [CalendarEndpoint(feeds: feeds), OpenAPIEndpoint.endpoint]
    if settings.servesPage {
      let isSecure = if case .tls = endpoint { true } else { false }
      configuration.endpoints +=
        PageEndpoints.all + [
          WorldOutlines.endpoint, SessionEndpoint(identity: identity, exchange: exchange, isSecure: isSecure),
        ]
    }
    return HTTPListener(configuration, on: group, logger: logger) { bound in
      print("listening on http+\(bound)")
    }
  }
}
#else
/// Returns no listeners, because this build does not include HTTP.
///
/// - Throws: `SettingError` if the settings contain an HTTP endpoint.
func httpListeners(
  _ settings: ServerSettings, _ limits: ServerLimits, _ tls: ServerTLS?, _ sockets: InheritedSockets,
  _ phones: PhoneReports, _ identity: CallerIdentity, _ feeds: FeedReader,
  _ exchange: SignInExchange, opensSockets: Bool, on group: MultiThreadedEventLoopGroup,
  _ logger: Logger
) throws -> [any RPCListener] {
  guard let endpoint = settings.httpEndpoints.first else { return [] }
  throw SettingError(
    name: "http-listen", value: "\(endpoint)",
    reason: "cannot be used: this program was built without HTTP; build it with the default traits, or with "
      + "'--traits HTTP'")
}
#endif
