import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type RouterMetrics = ReturnType<typeof createRouterMetrics>

/** The metrics of a router. The cells are those of its settings, so no request can add a value to a label. */
export function createRouterMetrics(cells: readonly number[]) {
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
