import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { Pool } from 'undici'
import type { RouterConfig } from '../../config.ts'
import { createRouterMetrics, type RouterMetrics } from './router-metrics.ts'

/** A cell that does not accept a connection in this time counts as unreachable. */
const connectMs = 5_000
/** Longer than any request of the API takes: the longest is one to an AI model, with 90 s. */
const answerMs = 150_000
const movedMax = 100_000

/** What a router process holds. It stores nothing: after a restart it learns again which workspaces have moved. */
export type Router = {
  config: RouterConfig
  log: Logger
  metrics: RouterMetrics
  state: { isDraining: boolean }
  pools: ReadonlyMap<number, Pool>
  /** Workspaces that a cell has said to be in another one. */
  moved: Map<string, number>
  /** Answers that last as long as a page is open. */
  streams: Set<ServerResponse>
  close(): Promise<void>
}

export function createRouter(config: RouterConfig, log: Logger): Router {
  const pools = new Map([...config.cells].map(([cell, origin]) => [cell, openPool(origin)]))
  return {
    config,
    log,
    metrics: createRouterMetrics([...config.cells.keys()]),
    state: { isDraining: false },
    pools,
    moved: new Map(),
    streams: new Set(),
    close: async () => void (await Promise.all([...pools.values()].map((pool) => pool.destroy()))),
  }
}

/** The number of connections is not limited: a live stream holds one for as long as its page is open. */
function openPool(origin: string): Pool {
  return new Pool(origin, { connect: { timeout: connectMs }, headersTimeout: answerMs, bodyTimeout: 0, allowH2: false })
}

/** Remembers where a workspace is now. What a cell says is newer than what was known. */
export function rememberMove({ moved }: Pick<Router, 'moved'>, workspaceId: string, cell: number): void {
  const [oldest] = moved.keys()
  if (moved.size >= movedMax && oldest !== undefined) moved.delete(oldest)
  moved.set(workspaceId, cell)
}
