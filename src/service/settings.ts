import * as z from 'zod'
import { logLevels } from './create-logger'
import { Username } from './http/user'
import { StartError } from './lib/start-error'

/** The address of a service, as Kubernetes puts it into a pod: SPOOL_PORT=tcp://10.0.0.1:7766 for a service called spool. */
export const serviceAddress = /^(?:tcp|udp|sctp):\/\//

const portMessage = 'must be a whole number from 0 to 65535'
const serviceMessage =
  "was set by Kubernetes, because a service is called 'spool'. " +
  "Set it or 'enableServiceLinks: false' in the pod, or give the service another name"
const addressMessage = 'must be an address such as https://host:8123/path'

const WebAddress = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.hash === ''
}, addressMessage)

const Origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  context.addIssue("must be a list of origins such as 'https://tools.example,http://10.0.0.5:8080'; '*' is not possible")
  return z.NEVER
})
const HostName = z
  .string()
  .toLowerCase()
  .regex(
    /^(?:\[[\da-f:.]+\]|\.?[\da-z_-]+(?:\.[\da-z_-]+)*)(?::\d{1,5})?$/,
    "must be a list of host names such as 'spool.example,.internal.example:8080'; '*' is not possible",
  )

/** Values between commas. */
function listOf<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(item))
    .default([])
}

const Environment = z
  .object({
    SPOOL_HOST: z
      .string()
      .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or address to listen on')
      .default('127.0.0.1'),
    SPOOL_PORT: z
      .string()
      .regex(/^\d{1,5}$/, { error: ({ input }) => (serviceAddress.test(String(input)) ? serviceMessage : portMessage) })
      .transform(Number)
      .refine((number) => number <= 65_535, portMessage)
      .default(7766),
    SPOOL_HOSTS: listOf(HostName),
    SPOOL_ORIGINS: listOf(Origin),
    SPOOL_DATA: z.string().default('.spool'),
    SPOOL_STORE: WebAddress.optional(),
    SPOOL_UPSTREAM: WebAddress.optional(),
    SPOOL_USERNAME: Username.optional(),
    SPOOL_PASSWORD: z.string().optional(),
    SPOOL_SAMPLE: z.enum(['on', 'off'], "must be 'on' or 'off'").default('on'),
    SPOOL_LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  })
  .transform((environment) => ({
    host: environment.SPOOL_HOST,
    port: environment.SPOOL_PORT,
    allowedHosts: environment.SPOOL_HOSTS,
    allowedOrigins: environment.SPOOL_ORIGINS,
    dataFolder: environment.SPOOL_DATA,
    /** A ClickHouse server; undefined for the embedded engine. */
    storeUrl: environment.SPOOL_STORE,
    /** Another service to forward requests to; then no store is opened. */
    upstreamUrl: environment.SPOOL_UPSTREAM,
    username: environment.SPOOL_USERNAME,
    password: environment.SPOOL_PASSWORD,
    hasSample: environment.SPOOL_SAMPLE === 'on',
    logLevel: environment.SPOOL_LOG_LEVEL,
  }))
export type Settings = z.infer<typeof Environment>

/** The variables that `readSettings` reads. */
export const settingNames = Object.keys(Environment.in.shape)

/** Reads the SPOOL_* variables; an empty one counts as unset. Throws a `StartError` that names the first invalid one. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(nonEmpty)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new StartError(`${String(issue?.path[0])} ${issue?.message ?? 'is wrong'}.`)
  }
  const settings = parsed.data
  if ((settings.username === undefined) !== (settings.password === undefined)) {
    const [set, unset] =
      settings.username === undefined ? ['SPOOL_PASSWORD', 'SPOOL_USERNAME'] : ['SPOOL_USERNAME', 'SPOOL_PASSWORD']
    // Most likely the password was exported in this shell for a client.
    throw new StartError(
      `${set} is set and ${unset} is not: set both for an administrator of your own, or neither ('unset ${set}').`,
    )
  }
  if (settings.storeUrl !== undefined && settings.upstreamUrl !== undefined) {
    throw new StartError('SPOOL_STORE and SPOOL_UPSTREAM are both set, but with an upstream no store is opened. Set one of them.')
  }
  if (settings.upstreamUrl !== undefined) requireUsableUpstream(new URL(settings.upstreamUrl), settings)
  return settings
}

/** The message never contains the address, which may hold a password. */
function requireUsableUpstream({ username, password }: URL, settings: Settings): void {
  if (username !== '' || password !== '') {
    throw new StartError('SPOOL_UPSTREAM contains a user name or password. Remove them: each client sends its own credentials.')
  }
  if (settings.username !== undefined) {
    throw new StartError(
      'SPOOL_USERNAME and SPOOL_UPSTREAM are both set, but with an upstream that service knows the users. Set one of them.',
    )
  }
}
