import { fail, ok, skipped, type Check } from '../check.ts'
import { fetchText } from '../fetch-text.ts'
import { isCarillon, isCarillonRunning } from '../is-carillon-running.ts'
import { everyAddress, isLoopback } from './public-url.ts'

/** Whether the address that people type leads to Carillon, as seen from this machine. */
export const publicAddress: Check = {
  name: 'public-address',
  after: ['public-url'],
  async run({ config }) {
    if (!(await isCarillonRunning(config))) return skipped('Not checked, because Carillon does not run here now.')
    const { origin, hostname } = new URL(config.publicUrl)
    const answer = await fetchText(`${origin}/health/live`)
    // A process that listens on every address is usually in a container, whose own loopback address is not that of the machine.
    if (!answer.isOk && isLoopback(hostname) && everyAddress.has(config.host))
      return skipped(
        `Not checked: ${origin} leads from a container to the container itself. Open it in a browser on the machine.`,
      )
    if (!answer.isOk)
      return fail(
        `${origin} cannot be reached from this machine: ${answer.problem}.`,
        'Check the name, the certificate and the proxy, or correct CARILLON_PUBLIC_URL.',
      )
    if (!isCarillon(answer.text))
      return fail(`Another program answers at ${origin}.`, 'Let the proxy lead to Carillon, or correct CARILLON_PUBLIC_URL.')
    return ok(`${origin} leads to Carillon.`)
  },
}
