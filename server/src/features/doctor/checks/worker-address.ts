import { checkWorkerHost } from '../../../infra/engine/check-worker-host.ts'
import { StartError } from '../../../infra/problem/start-error.ts'
import { fail, ok, type Check } from '../check.ts'

export const workerAddress: Check = {
  name: 'worker-address',
  isQuick: true,
  async run({ config }) {
    try {
      checkWorkerHost(config)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      return fail(error.message, 'A worker does not start like this.')
    }
    return ok(
      config.restateIdentityKeys.length > 0
        ? 'Workers answer only requests that the engine signed.'
        : `Workers listen on ${config.workerHost}, which only this machine reaches.`,
    )
  },
}
