import { readRouterConfig, type RouterConfig } from '../../config.ts'
import { checkRouterAccepting, checkRouterReady, renderRouterMetrics } from './check-router.ts'
import { createRouterApp } from './create-router-app.ts'
import { createRouter } from './router.ts'
import { defineCommand } from '../../infra/command-line/command.ts'
import { checkLive } from '../../infra/health/check-health.ts'
import { openHealthPort } from '../../infra/health/open-health-port.ts'
import { closeApp } from '../../infra/process/close-app.ts'
import { createLog } from '../../infra/log/create-log.ts'
import { stopOnSignal } from '../../infra/process/stop-on-signal.ts'

export const routerCommand = defineCommand({
  details:
    'Joins several installations (cells) behind one address: it sends each request to the cell that its ids, its API key or its cookie name. ' +
    'It has no database and no keys. CARILLON_ROUTER_CELLS names the cells, and each cell names the router in CARILLON_TRUSTED_PROXIES. It ' +
    'runs until it is stopped with Ctrl-C or SIGTERM, and then finishes what is running. docs/guides/cells.md describes the whole set-up.',
  options: {},
  run: () => route(readRouterConfig()),
  present: () => null,
})

async function route(config: RouterConfig): Promise<void> {
  const router = createRouter(config, createLog(config.logLevel))
  const app = createRouterApp(router)
  const closeHealth = await openHealthPort({
    host: config.healthHost,
    port: config.healthPort,
    checks: {
      '/health/live': checkLive,
      '/health/accepting': () => checkRouterAccepting(router),
      '/health/ready': () => checkRouterReady(router),
    },
    renderMetrics: () => renderRouterMetrics(router),
  })
  const stop = async () => {
    await closeApp(app)
    await closeHealth()
    await router.close()
  }
  stopOnSignal({ log: router.log, state: router.state, stop })
  await app.listen({ host: config.host, port: config.port })
  router.log.info({ port: config.port, cells: Object.fromEntries(config.cells) }, 'the router is up')
}
