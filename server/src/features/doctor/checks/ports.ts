import { canListen } from '../../../infra/http/can-listen.ts'
import { fail, ok, type Check } from '../check.ts'
import { isCarillonRunning } from '../is-carillon-running.ts'

export const ports: Check = {
  name: 'ports',
  async run({ config }) {
    const { host, port, workerHost, workerPort, healthHost, healthPort } = config
    const uses = [
      { setting: 'CARILLON_PORT', host, port },
      { setting: 'CARILLON_WORKER_PORT', host: workerHost, port: workerPort },
      { setting: 'CARILLON_HEALTH_PORT', host: healthHost, port: healthPort },
    ]
    if (new Set(uses.map((use) => use.port)).size < uses.length)
      return fail(
        'Two of the three ports are the same.',
        `Set ${uses.map(({ setting }) => setting).join(', ')} to different ports.`,
      )
    if (await isCarillonRunning(config)) return ok('Carillon runs here and has its ports.')
    for (const use of uses) {
      const problem = await canListen(use)
      if (problem !== null)
        return fail(`Port ${use.port} of ${use.host} cannot be used: ${problem}.`, `Stop what uses it, or change ${use.setting}.`)
    }
    return ok(`The ports ${uses.map((use) => use.port).join(', ')} are free.`)
  },
}
