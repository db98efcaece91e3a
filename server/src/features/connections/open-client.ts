import { type Client, type Connector, type Credentials, type Found, type Outcome, createHttp } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import { traceCalls } from '../../infra/tracing/start-span.ts'
import { recordCalls } from './calls/recording/record-calls.ts'
import { serverOf, watchServer } from './calls/server-health.ts'
import { transportFor } from './calls/transport-for.ts'
import type { ConnectionRow } from './connection.store.ts'
import { connectorOf } from './connector-of.ts'
import { openCredentials } from './seal-credentials.ts'

/** The columns of a connection that are needed to call its platform. */
export type ConnectionAccess = Pick<
  ConnectionRow,
  'workspace_id' | 'id' | 'platform' | 'account_id' | 'handle' | 'instance_url' | 'credentials_sealed'
>

/**
 * `beforeWrite` is the last check before each request is written to the socket. If it throws, the request is not sent. `parent` is the span
 * (traceparent) under which the requests are recorded.
 */
export type ClientOptions = { beforeWrite?: (() => void) | undefined; parent?: string | undefined }

/** `recorded`: the connection whose calls these are, for a recording of them. */
type HttpOptions = ClientOptions & { recorded?: ConnectionAccess }

/** The connector and an authorised client for a connection. */
export function openClient(
  ctx: Context,
  connection: ConnectionAccess,
  options: ClientOptions = {},
): { connector: Connector; client: Client } {
  const connector = connectorOf(ctx, connection.platform)
  const credentials = openCredentials(
    ctx,
    { workspaceId: connection.workspace_id, id: connection.id },
    connection.credentials_sealed,
  )
  const http = openHttp(
    ctx,
    connector,
    { instanceUrl: connection.instance_url, credentials },
    { ...options, recorded: connection },
  )
  const simulator = connection.instance_url === null ? ctx.config.platformOrigins[connection.platform] : undefined
  const opened = simulator === undefined ? connector : withSimulatedUrls(connector, simulator)
  return { connector: opened, client: { http, account: { id: connection.account_id, handle: connection.handle }, credentials } }
}

export function openHttp(
  ctx: Context,
  connector: Connector,
  { instanceUrl, credentials }: { instanceUrl: string | null; credentials: Credentials | null },
  { beforeWrite, parent, recorded }: HttpOptions = {},
) {
  const { platform } = connector.manifest
  const origin = serverOf(ctx, { platform, instanceUrl })
  const plain = transportFor(ctx, platform)
  const transport = recorded === undefined ? plain : recordCalls(ctx, recorded, { transport: plain, origin })
  return createHttp({
    transport: traceCalls(ctx, watchServer(ctx, { platform, instanceUrl }, transport), { platform, parent }),
    origin,
    credentials,
    classify: connector.classify,
    attach: connector.attach,
    nowMs: ctx.nowMs,
    timeoutMs: 30_000,
    beforeWrite,
  })
}

/**
 * A connector whose posts have the simulator's addresses. Some platforms do not return the address of a post, so their connectors make it
 * from the id, and it leads to the real platform. The simulator has a page at the same path below its own origin.
 */
export function withSimulatedUrls(connector: Connector, origin: string): Connector {
  const { submit, check, find } = connector
  const change = <T extends Outcome | Found>(outcome: T): T =>
    outcome.state === 'published' ? { ...outcome, postUrl: simulatedUrl(outcome.postUrl, origin) } : outcome
  return {
    ...connector,
    submit: async (...args) => change(await submit(...args)),
    ...(check && { check: async (...args: Parameters<typeof check>) => change(await check(...args)) }),
    ...(find && { find: async (...args: Parameters<typeof find>) => change(await find(...args)) }),
  }
}

function simulatedUrl(postUrl: string | null, origin: string): string | null {
  if (postUrl === null || !URL.canParse(postUrl)) return postUrl
  const { pathname, search } = new URL(postUrl)
  const prefix = new URL(origin).pathname
  // An address that the simulator itself returned begins with the platform's path already.
  return pathname.startsWith(`${prefix}/`) ? postUrl : origin + pathname + search
}
