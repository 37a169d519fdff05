"""Identifiers that were renamed, with the names that replace them. They must not come back.

Only identifiers in code are compared, not strings and comments. Words that are also the right term for something else (`present`,
`reach`, `admit`) are not listed.
"""

import re

RENAMED = {
    "AccountWatch": "AccountMonitor",
    "AddressReader": "AddressInterpreter",
    "Admission": "AccessGrant",
    "AdmissionPlan": "AccessConfiguration",
    "AdmissionWatchers": "GrantMonitor",
    "AnswerAtOnce": "SynchronousHandler",
    "answerAtOnce": "synchronousHandler",
    "answeringAtOnce": "withSynchronousHandler",
    "askAgain": "checkAgain(at:)",
    "askTimer": "scheduleTimer",
    "becomeUncrowded": "releaseBackpressure(on:)",
    "canAsk": "canPrompt",
    "closeIfUsedUp": "closeIfStreamIDsExhausted",
    "Closer": "CloseWaiter",
    "closers": "closeWaiters",
    "comeToFront": "waitForFront",
    "ConnectionAdmission": "ConnectionLimiter",
    "ConnectionKeeper": "ConnectionManager",
    "ConnectionStamp": "ConnectionIDHandler",
    "ConnectionTimes": "ConnectionTimeouts",
    "CostMeter": "CPUMeter",
    "crowdedStreams": "backpressuredStreams",
    "CurrentValues": "CoherentCache",
    "DeliveryLedger": "DeliveryTracker",
    "demandCoordinate": "requireCoordinate",
    "DiskWatch": "SyncFailureMonitor",
    "doorbell": "wakeUp",
    "Drain": "ShutdownFlag",
    "EncodedChanges": "EncodedChangeCache",
    "EncodedPages": "EncodedPageCache",
    "endOverdueCalls": "expireCalls(at:)",
    "endsWithDrain": "endsOnShutdown",
    "ForeignWrites": "ExternalWriteMonitor",
    "forgetAdmissions": "invalidateGrants",
    "goOn": "resume, continue or forwardAcceptedChannels",
    "grpcWires": "grpcListeners",
    "hasNotBegun": "isUnprocessed",
    "isAnsweredWhileDraining": "isAvailableDuringShutdown",
    "isClogged": "isWriteBufferFull",
    "isForStrangers": "exceedsUnauthenticatedLimit",
    "isStranger": "mustAuthenticateFirst",
    "isStruckOut": "hasReachedStrikeLimit",
    "isUsedUp": "hasExhaustedStreamIDs",
    "itemInMemory": "cachedItem",
    "keeper": "connectionManager",
    "KeptConnection": "ManagedConnection",
    "know": "setPeer",
    "knownAdmission": "cachedGrant(for:)",
    "lane": "connectionIndex",
    "Lane": "ConnectionPace",
    "Lanes": "LoadConnections",
    "Lead": "Posting",
    "leads": "postings(at:)",
    "listenToOthers": "observeExternalChanges",
    "LoadMachine": "LoadStateMachine",
    "look": "readHeader, or the verb for the action",
    "lookLater": "scheduleBudgetCheck",
    "makesAsMuchSense": "ranksEqually(with:)",
    "markTime": "runTicker",
    "MessageScan": "WireFormatValidator",
    "nextLook": "budgetCheck",
    "nextTry": "acceptRetry",
    "NominatimReply": "NominatimResponse",
    "noteActivity": "recordActivity",
    "noteInput": "recordRead",
    "noteOutput": "recordWrite",
    "OldFileKeeper": "MigrationBackup",
    "Overtime": "Timeout",
    "PlaceCode": "MortonCode",
    "ProgramStatus": "ExitStatus",
    "readings": "interpretations(near:)",
    "readOn": "readNextChanges",
    "RecentValues": "GenerationalCache",
    "Reconnection": "ConnectionStateMachine",
    "reportForeignChanges": "observeExternalChanges",
    "RequestPacer": "RateLimiter",
    "RequestPacing": "RateLimiterState",
    "revisionInMemory": "cachedRevision",
    "RunCost": "CPUUsage",
    "sense": "rank",
    "ServerAccess": "ServerCredentials",
    "ServerWire": "RPCListener",
    "silenceLimit": "inactivityTimeout",
    "StreamNumbers": "UsedStreamIDs",
    "Surroundings": "ProgramContext, or AddressContext",
    "surroundings": "context",
    "tellsTimeout": "sendsTimeout",
    "Ticket": "ScheduledRequest",
    "timerWentOff": "timerFired",
    "tooCostly": "decodedMessageTooLarge",
    "tooLong": "timedOut",
    "Verdict": "CheckResult",
    "wasDisturbed": "needsRepaint",
    "watchAccounts": "monitorAccounts",
    "watchDisk": "waitForSyncFailure",
    "WatchInbox": "ScreenUpdateQueue",
    "WatchNews": "ScreenUpdate",
    "WatchShow": "ScreenLoop",
    "WebFetcher": "HTTPFetcher",
    "WebReply": "HTTPResponse",
    "whileAdmitted": "withGrant",
    "wires": "additionalListeners, or listeners",
}

# Regular expressions for families of names; `greatestFiniteMagnitude` and `leastNonzeroMagnitude` are the standard library's.
RENAMED_FAMILIES = {
    r"(greatest|longest|most)(?!Finite|Prefix|Common)([A-Z]\w*)|greatest|longest": "maximum…",
    r"least(?!Nonzero|Normal|Significant|Recently)[A-Z]\w*": "minimum…",
    r"usual[A-Z]\w*": "default…",
    r"tell|tells|told|telling\w*|tell[A-Z]\w*": "the verb for the action: print, emit, send, map",
    r"undone\w*": "incomplete…",
    r"(nobody|somebody|everybody|anybody|whoever)\w*": "a noun",
}

PATTERNS = [(re.compile(pattern), replacement) for pattern, replacement in RENAMED_FAMILIES.items()]


def replacement(identifier):
    """Returns the name that replaces an identifier, or `None` if the identifier may stay."""
    if identifier in RENAMED:
        return RENAMED[identifier]
    return next((new for pattern, new in PATTERNS if pattern.fullmatch(identifier)), None)


def renamed_identifiers(files):
    """Returns the renamed identifiers that are still used, each with its uses, the place of the first, and the new name."""
    uses, replacements = {}, {}
    for file in files:
        for token in file.tokens:
            if token.text not in replacements:
                replacements[token.text] = replacement(token.text.strip("`"))
            if replacements[token.text]:
                uses.setdefault(token.text, []).append(f"{file.name}:{token.line}")
    return {name: (len(places), places[0], replacements[name]) for name, places in sorted(uses.items())}
