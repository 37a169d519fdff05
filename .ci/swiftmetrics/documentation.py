"""Which public and package declarations are documented.

A declaration counts if it is public, open or package and the enclosing types are too. An extension has the access of the type it
extends. Enum cases do not count because the comment of their type covers them. Overrides and deinitializers do not count either.

A declaration inherits documentation if it witnesses a documented requirement of a protocol that its type conforms to. The table
below lists requirements of protocols that are declared outside of this package.
"""

from swiftmetrics.declarations import TYPES

VISIBLE = {"public", "open", "package"}

# Requirements of protocols that are declared and documented elsewhere. Operators have no labels.
REQUIREMENTS = {
    "AsyncIteratorProtocol": {"next()", "next(isolation:)"},
    "AsyncParsableCommand": {"run()"},
    "AsyncSequence": {"makeAsyncIterator()", "AsyncIterator", "Element", "Failure"},
    "CaseIterable": {"allCases"},
    "Clock": {"now", "minimumResolution", "sleep(until:tolerance:)", "Instant"},
    "Codable": {"encode(to:)", "init(from:)"},
    "Collection": {"startIndex", "endIndex", "index(after:)", "index(before:)", "subscript(_:)", "count", "isEmpty"},
    "Comparable": {"<", "=="},
    "CustomDebugStringConvertible": {"debugDescription"},
    "CustomStringConvertible": {"description"},
    "Decodable": {"init(from:)"},
    "Encodable": {"encode(to:)"},
    "Equatable": {"=="},
    "Error": set(),
    "ExpressibleByArrayLiteral": {"init(arrayLiteral:)"},
    "ExpressibleByDictionaryLiteral": {"init(dictionaryLiteral:)"},
    "ExpressibleByIntegerLiteral": {"init(integerLiteral:)"},
    "ExpressibleByStringLiteral": {"init(stringLiteral:)"},
    "Hashable": {"hash(into:)", "=="},
    "Identifiable": {"id"},
    "InstantProtocol": {"advanced(by:)", "duration(to:)", "<", "=="},
    "IteratorProtocol": {"next()"},
    "LocalizedError": {"errorDescription"},
    "OptionSet": {"rawValue", "init(rawValue:)"},
    "ParsableCommand": {"configuration", "run()", "validate()"},
    "RandomNumberGenerator": {"next()"},
    "RawRepresentable": {"rawValue", "init(rawValue:)"},
    "Sequence": {"makeIterator()", "underestimatedCount"},
    "Service": {"run()"},
    "ChannelHandler": {"handlerAdded(context:)", "handlerRemoved(context:)"},
    "ChannelInboundHandler": {
        "InboundIn", "InboundOut", "OutboundOut", "channelRegistered(context:)", "channelUnregistered(context:)",
        "channelActive(context:)", "channelInactive(context:)", "channelRead(context:data:)",
        "channelReadComplete(context:)", "channelWritabilityChanged(context:)",
        "userInboundEventTriggered(context:event:)", "errorCaught(context:error:)", "handlerAdded(context:)",
        "handlerRemoved(context:)",
    },
    "ChannelOutboundHandler": {
        "OutboundIn", "OutboundOut", "write(context:data:promise:)", "flush(context:)", "read(context:)",
        "close(context:mode:promise:)", "triggerUserOutboundEvent(context:event:promise:)",
    },
    "NIOSingleStepByteToMessageDecoder": {"InboundOut", "decode(buffer:)", "decodeLast(buffer:seenEOF:)"},
}
REQUIREMENTS["ChannelDuplexHandler"] = REQUIREMENTS["ChannelInboundHandler"] | REQUIREMENTS["ChannelOutboundHandler"]


def visible_declarations(files):
    """Returns pairs of a file and a declaration that counts."""
    access = {}
    for file in files:
        for declaration in file.declarations:
            if declaration.kind in TYPES - {"extension"} and not declaration.is_local:
                access[declaration.name] = declaration.access
    return [
        (file, declaration)
        for file in files
        for declaration in file.declarations
        if counts(declaration) and is_reachable(declaration.container, access)
    ]


def counts(declaration):
    if declaration.is_local or declaration.is_override or declaration.kind in ("extension", "deinit"):
        return False
    return declaration.access in VISIBLE


def is_reachable(container, access):
    while container:
        if container.kind == "extension":
            if access.get(container.name.split(".")[-1], "public") not in VISIBLE:
                return False
        elif container.access not in VISIBLE:
            return False
        container = container.container
    return True


def requirement_name(declaration):
    """Returns the name that a witness shares with its requirement; the labels of an operator's parameters can differ."""
    name = declaration.name
    return name if name[0].isalpha() or name[0] == "_" else name.split("(")[0]


class Inheritance:
    """The conformances of the package's types and the documented requirements of protocols."""

    def __init__(self, files):
        self.conformances = {}
        self.requirements = {name: set(requirements) for name, requirements in REQUIREMENTS.items()}
        for file in files:
            for declaration in file.declarations:
                self.add(declaration)

    def add(self, declaration):
        container = declaration.container
        if declaration.kind in TYPES:
            name = declaration.name.split(".")[-1]
            self.conformances.setdefault(name, set()).update(declaration.inherited)
        elif container and container.kind == "protocol" and declaration.is_documented:
            self.requirements.setdefault(container.name, set()).add(requirement_name(declaration))

    def is_inherited(self, declaration):
        """Whether a declaration witnesses a documented requirement of a protocol, or is its default implementation."""
        if not declaration.container or declaration.container.kind == "protocol":
            return False
        pending, seen = [declaration.container.name.split(".")[-1]], set()
        while pending:
            name = pending.pop()
            if name in seen:
                continue
            seen.add(name)
            if requirement_name(declaration) in self.requirements.get(name, ()):
                return True
            pending += self.conformances.get(name, ())
        return False
