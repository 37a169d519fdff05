#if GRPC
import NIOHTTP2

/// An error in the headers of one stream, which ends that stream and not the connection.
protocol InvalidHeaders: Error {}

extension NIOHTTP2Errors.DuplicatePseudoHeader: InvalidHeaders {}
extension NIOHTTP2Errors.EmptyPathHeader: InvalidHeaders {}
extension NIOHTTP2Errors.ForbiddenHeaderField: InvalidHeaders {}
extension NIOHTTP2Errors.InvalidHTTP2HeaderFieldName: InvalidHeaders {}
extension NIOHTTP2Errors.InvalidHTTP2HeaderFieldValue: InvalidHeaders {}
extension NIOHTTP2Errors.InvalidPseudoHeaderValue: InvalidHeaders {}
extension NIOHTTP2Errors.InvalidPseudoHeaders: InvalidHeaders {}
extension NIOHTTP2Errors.PseudoHeaderAfterRegularHeader: InvalidHeaders {}
extension NIOHTTP2Errors.UnknownPseudoHeader: InvalidHeaders {}
extension NIOHTTP2Errors.ContentLengthViolated: InvalidHeaders {}
#endif
