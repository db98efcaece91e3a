import { loginUrls } from '../../../infra/logins/login-urls.ts'
import { fail, ok, skipped, warn, type Check, type Subject } from '../check.ts'
import { canConnect, probeDatabase } from '../database-facts.store.ts'
import { fetchText } from '../fetch-text.ts'

/** The Date header has whole seconds, so less cannot be seen. */
const warnMs = 2000
const failMs = 10_000

type Difference = { of: string; ms: number }

/** Compares this machine's clock with those of the database and the engine: posts go out by the database's clock. */
export const clock: Check = {
  name: 'clock',
  async run(subject) {
    const differences = [...(await compareDatabase(subject)), ...(await compareEngine(subject))]
    if (differences.length === 0) return skipped('Not checked, because neither the database nor the engine answers.')
    const [worst] = differences.toSorted((a, b) => Math.abs(b.ms) - Math.abs(a.ms))
    if (!worst || Math.abs(worst.ms) < warnMs) return ok('The clocks of this machine, the database and the engine agree.')
    const seconds = (Math.abs(worst.ms) / 1000).toFixed(1)
    const message = `The clock of the ${worst.of} is ${seconds} s ${worst.ms > 0 ? 'ahead of' : 'behind'} that of this machine.`
    const action = 'Switch on time synchronisation (chrony or systemd-timesyncd) on all machines.'
    return Math.abs(worst.ms) >= failMs ? fail(message, action) : warn(message, action)
  },
}

async function compareDatabase({ config, machine }: Subject): Promise<Difference[]> {
  const url = config.databaseUrl ?? loginUrls(config).carillon_system
  if (!(await canConnect(url))) return []
  const { nowMs } = await probeDatabase(url)
  return [{ of: 'database', ms: nowMs - machine.nowMs() }]
}

async function compareEngine({ config, machine }: Subject): Promise<Difference[]> {
  const answer = await fetchText(`${config.restateAdminUrl}/version`)
  if (!answer.isOk || answer.dateMs === null) return []
  // Half a second on average is cut off from the header.
  return [{ of: 'engine', ms: answer.dateMs + 500 - machine.nowMs() }]
}
