// The lengths of texts that are keys or names, in characters (Unicode code points), as every length on the wire. A key is
// copied into each row that is derived from a call, sorted and compared: with one of 30 MB no thread can be derived. Contents
// (inputs, outputs, attributes) are limited by the size of a request alone.

/** Clients use UUIDs, session ids or user names. */
export const maxThreadIdLength = 1024

/** Ids in filters, which may name anything. Stored ids are shorter. */
export const maxIdLength = 256

/**
 * Ids or names in one list of a filter. W&B Weave allows 1000. They are bound to the statement on the event loop: 5000 take
 * 15 ms of it, and beyond 40,000 the engine does not come to an end.
 */
export const maxFilterValues = 5000

/**
 * `weave:///<entity>/<project>/op/<name>:<digest>` with a percent-encoded name, or the name of a span. W&B Weave keeps 128
 * characters of a name; OpenTelemetry has no limit.
 */
export const maxOpNameLength = 4096

/** As in W&B Weave. */
export const maxDisplayNameLength = 1024

/** The name of a field in a query, a sort key or a column: a path into JSON with up to 16 keys. */
export const maxFieldNameLength = 1024

export const maxModelNameLength = 512
/** Models with usage in one call: a call that adds up others has those of all of them. Each is priced when it is read. */
export const maxModelsPerCall = 64
/** Of its JSON. It is parsed when costs are read; a model of the SDKs takes 200 characters. */
export const maxUsageLength = 262_144
export const maxProviderLength = 512

/** The user of an application, as its calls name them. What is longer is cut. */
export const maxEndUserLength = 1024

/** Prices of one request. The import sends 1000. */
export const maxCostsPerRequest = 1000

/** A currency code. */
export const maxUnitLength = 64

/** No key, but filtered and sorted by. Weave sends whole tracebacks, with requests or pages of HTML in their messages. */
export const maxExceptionLength = 1_048_576

export const maxObjectIdLength = 1024

/** The classes of pydantic generics are named after all their parameters. */
export const maxClassNameLength = 4096

/** Digests have 43 or 64 characters; requests may also say `latest` or `v<N>`. */
export const maxDigestLength = 256

/** Digests of rows that become one table in one request: 23 MB of its 32 MiB. */
export const maxJoinedRows = 500_000

/** References, and the types of feedback, which may be references. */
export const maxRefLength = 4096

export const maxUsernameLength = 256

/** Of its JSON. It is parsed for each answer, which holds up everybody. */
export const maxAnnotationSpecLength = 65_536

export const maxViewNameLength = 255
/** The query string of a page. Addresses of this length pass through every proxy. */
export const maxViewStateLength = 8192

export const maxQueueNameLength = 255
export const maxQueueDescriptionLength = 65_536
export const maxAssignees = 100
/** Calls that one request adds to a queue: their ids take 400 KB of its 1 MiB. */
export const maxCallsPerRequest = 10_000
/** The state of all items of a queue is computed when somebody asks for the next one. */
export const maxItemsPerQueue = 50_000
/** What a sample is repeated by. */
export const maxSeedLength = 100
/** They are stored with each item. */
export const maxDisplayFields = 20
export const maxDisplayFieldLength = 256

/** Characters of a column's JSON text in one reply. */
export const maxRangeLength = 4_194_304
