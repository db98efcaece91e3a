import { startCarillon, type Carillon, type CarillonEnv } from '../services/carillon.ts'
import { freePorts } from '../services/free-ports.ts'
import { startHaproxy } from '../services/haproxy.ts'
import type { StackPorts } from './choose-ports.ts'
import type { ServiceGroup } from './service-group.ts'

type PoolOptions = { dir: string; services: ServiceGroup; env: CarillonEnv; ports: StackPorts; restateAdminUrl: string }

/** Starts workers behind a balancer. The balancer has the address that the engine knows, so each worker can be replaced alone. */
export async function startWorkerPool(count: number, options: PoolOptions): Promise<Carillon[]> {
  const { dir, services, env, ports, restateAdminUrl } = options
  const free = await freePorts(2 * count)
  const workers = Array.from({ length: count }, (_, at) => ({ port: free[2 * at] ?? 0, healthPort: free[2 * at + 1] ?? 0 }))
  await services.start('HAProxy', () => startHaproxy({ dir: `${dir}/haproxy`, port: ports.worker, workers }))
  const startOne = ({ port, healthPort }: (typeof workers)[number], at: number) =>
    services.start(`Carillon worker ${at + 1}`, () =>
      startCarillon({
        role: 'worker',
        name: `worker-${at + 1}`,
        dir: `${dir}/logs`,
        env: { ...env, CARILLON_WORKER_PORT: String(port), CARILLON_HEALTH_PORT: String(healthPort) },
        port: ports.api,
        workerPort: port,
        restateAdminUrl,
      }),
    )
  return services.waitForAll(workers.map(startOne))
}
