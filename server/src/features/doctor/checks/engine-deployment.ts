import { ok, warn, type Check } from '../check.ts'
import { fetchText } from '../fetch-text.ts'

export const engineDeployment: Check = {
  name: 'engine-deployment',
  after: ['engine'],
  async run({ config: { restateAdminUrl, workerUrl } }) {
    const { text } = await fetchText(`${restateAdminUrl}/deployments`)
    const { deployments = [] } = JSON.parse(text) as { deployments?: { uri?: string }[] }
    const known = deployments.flatMap(({ uri }) => (uri === undefined ? [] : [new URL(uri).href]))
    if (known.includes(new URL(workerUrl).href)) return ok(`The engine sends work to ${workerUrl}.`)
    if (known.length === 0)
      return warn('The engine knows no worker, so nothing is published.', 'Start a worker: it registers itself within seconds.')
    return warn(
      `The engine sends work to ${known.join(', ')}, and not to ${workerUrl}.`,
      'Start a worker with these settings, or correct CARILLON_WORKER_URL.',
    )
  },
}
