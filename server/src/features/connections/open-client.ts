import { createHttp, type Client, type Connector, type Credentials } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import { traceCalls } from '../../infra/tracing/trace-calls.ts'
import type { ConnectionRow } from './connection.store.ts'
import { connectorOf } from './connector-of.ts'
import { openCredentials } from './seal-credentials.ts'
import { serverOf, watchServer } from './calls/server-health.ts'
import { recordCalls } from './calls/recording/record-calls.ts'
import { transportFor } from './calls/transport-for.ts'
import { withSimulatedUrls } from './with-simulated-urls.ts'

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
