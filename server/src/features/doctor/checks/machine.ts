import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { canListen } from '../../../infra/http/can-listen.ts'
import { loginUrls } from '../../../infra/logins/login-urls.ts'
import { type Check, type Subject, fail, fetchText, isCarillonRunning, ok, skipped, warn } from '../check.ts'
import { canConnect, probeDatabase } from '../database-facts.store.ts'

const bytesMin = 256 * 1024 ** 2
const gib = 1024 ** 3

export const disk: Check = {
  name: 'disk',
  isQuick: true,
  async run({ config: { media }, machine }) {
    const free = await machine.freeBytes(media.dir)
    const amount = `${(free / gib).toFixed(1)} GiB`
    if (free < bytesMin)
      return fail(`The disk of ${media.dir} is almost full: ${amount} are free.`, 'Free some space, or use a larger disk.')
    if (free < media.sizeBytesMax)
      return warn(
        `The disk of ${media.dir} has ${amount} free, which is less than the largest file that is accepted.`,
        'Free some space, use a larger disk, or lower CARILLON_MEDIA_BYTES_MAX.',
      )
    return ok(`The disk of ${media.dir} has ${amount} free.`)
  },
}

const effects: Readonly<Record<string, string>> = {
  ffmpeg: 'videos are refused',
  ffprobe: 'videos are refused',
  pdftoppm: 'documents have no thumbnails',
  prlimit: 'the memory of decoders is not limited',
  bwrap: 'decoders have a weaker sandbox',
}

/** Debian's names. */
const packages: Readonly<Record<string, string>> = {
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  pdftoppm: 'poppler-utils',
  prlimit: 'util-linux',
  bwrap: 'bubblewrap',
}

export const mediaPrograms: Check = {
  name: 'media-programs',
  isQuick: true,
  async run({ config: { media }, machine }) {
    const missing = Object.keys(effects).filter((program) => machine.findProgram(program) === null)
    if (missing.length === 0) return ok('All programs that open media files are installed.')
    const message = `Not installed: ${missing.map((program) => `${program} (${effects[program]})`).join(', ')}.`
    const install = [...new Set(missing.map((program) => packages[program]))].join(' ')
    const action = `Install them, on Debian with: apt-get install ${install}`
    // A server that requires the full sandbox does not start without this program.
    return media.sandbox === 'require' && missing.includes('bwrap') ? fail(message, action) : warn(message, action)
  },
}

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

/** Settings that are wrong end the diagnosis before this check: see diagnose.ts. */
export const settings: Check = {
  name: 'settings',
  isQuick: true,
  async run({ unknownSettings }) {
    if (unknownSettings.length === 0) return ok('All settings can be read.')
    return warn(unknownSettings.join(' '), 'Correct or remove them. docs/configuration.md lists all settings.')
  },
}

export const webApp: Check = {
  name: 'web-app',
  isQuick: true,
  async run({ config: { webDir } }) {
    const isThere = await access(join(webDir, 'index.html')).then(
      () => true,
      () => false,
    )
    if (isThere) return ok(`The web app is in ${webDir}.`)
    return warn(`There is no web app in ${webDir}; only the API is served.`, 'Build it, or set CARILLON_WEB_DIR to its folder.')
  },
}
