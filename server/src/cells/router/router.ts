import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { Pool } from 'undici'
import type { RouterConfig } from '../../config.ts'

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

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

type RouterMetrics = ReturnType<typeof createRouterMetrics>

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

/** The metrics of a router. The cells are those of its settings, so no request can add a value to a label. */
function createRouterMetrics(cells: readonly number[]) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const metrics = {
    registry,
    requests: new Histogram({
      name: 'carillon_router_request_seconds',
      help: 'Duration of requests until the last byte of the answer, by cell and status class. Event streams are not counted.',
      labelNames: ['cell', 'status'],
      buckets: requestSeconds,
      registers,
    }),
    failures: new Counter({
      name: 'carillon_router_failures_total',
      help: 'Requests that the router answered itself, by error code. The cell is "none" if it is not known.',
      labelNames: ['cell', 'code'],
      registers,
    }),
    moves: new Counter({
      name: 'carillon_router_moved_total',
      help: 'Answers of a cell that a workspace has moved to another cell.',
      labelNames: ['cell'],
      registers,
    }),
    cellUp: new Gauge({
      name: 'carillon_router_cell_up',
      help: '1 if the cell answered that it is ready when these metrics were read.',
      labelNames: ['cell'],
      registers,
    }),
    streams: new Gauge({ name: 'carillon_router_streams', help: 'Event streams that are open.', registers }),
    draining: new Gauge({ name: 'carillon_draining', help: '1 while this process is stopping.', registers }),
  }
  // Alert rules see how much a number has risen, so it must be there before it rises.
  for (const cell of cells)
    for (const code of ['cell_unreachable', 'cell_no_answer']) metrics.failures.inc({ cell: String(cell), code }, 0)
  return metrics
}
