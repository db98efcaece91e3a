import { once } from 'node:events'
import { resolve } from 'node:path'
import { readEnvironment } from '../config.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { flag, optionalNumber, textWithDefault } from '../infra/command-line/option.ts'
import { canListen } from '../infra/http/can-listen.ts'
import { StartError } from '../infra/problem/problem.ts'
import { Interrupted } from '../infra/trial/start-service.ts'
import { startTrial, type Trial } from '../infra/trial/start-trial.ts'

const usualPort = 3000

export const tryCommand = defineCommand({
  details:
    'Starts everything on this machine for a trial: PostgreSQL, Restate, simulated platforms and Carillon with its web app, all reachable ' +
    'from this machine only. Ctrl-C stops all of it; the next start goes on with the same data. It needs no settings. Settings of the ' +
    'environment, such as CARILLON_SMTP_URL, apply as well.',
  options: {
    data: textWithDefault({ placeholder: 'FOLDER', default: 'carillon-data', about: 'Where all data are kept.' }),
    port: optionalNumber({
      placeholder: 'PORT',
      min: 1,
      max: 65_535,
      about: `The port of the web app and the API. Without it: ${usualPort}.`,
    }),
    real: flag({ about: 'Use the real platforms instead of simulated ones.' }),
  },
  run: ({ data, port, real }) => runTrial({ dir: resolve(data), port: port ?? usualPort, isSimulated: !real }),
  present: ({ data }) => `Stopped. The data are in ${data}; start again with the same command.`,
})

type Wanted = { dir: string; port: number; isSimulated: boolean }

/** Returns after everything has stopped. */
async function runTrial({ dir, port, isSimulated }: Wanted): Promise<{ data: string }> {
  const problem = await canListen({ host: '127.0.0.1', port })
  if (problem !== null)
    throw new StartError(
      `Port ${port} cannot be used: ${problem}. Choose another one, for example: carillon try --port ${port + 1}`,
    )
  console.error('Starting Carillon on this machine. Restate is used under its own licence, the Business Source License 1.1.')
  // Listens before the start, so that Ctrl-C during the start also stops every program.
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())
  const env = readEnvironment()
  const program = process.argv[1] ?? ''
  const { signal } = interruption
  const report = (line: string) => console.error(`  ✓ ${line}`)
  const trial = await startTrial({ dir, port, isSimulated, program, env, signal, report }).catch((error: unknown) => {
    if (error instanceof Interrupted) return null
    throw error
  })
  if (trial === null) return { data: dir }
  console.error(welcome(trial, dir))
  const ended = await Promise.race([waitForAbort(signal), trial.ended])
  console.error('\nStopping …')
  await trial.stop()
  if (ended) throw new StartError(`${ended.name} ended by itself, so everything was stopped. Its log: ${ended.logFile}`)
  return { data: dir }
}

async function waitForAbort(signal: AbortSignal): Promise<null> {
  if (!signal.aborted) await once(signal, 'abort')
  return null
}

function welcome({ url, simulatorUrl, hasWebApp }: Trial, dir: string): string {
  return [
    '',
    `Carillon is ready: ${url}`,
    '',
    hasWebApp
      ? '  Open this address in a browser and create the first account.'
      : '  The web app was not built, so there is only the API. Create an API key: carillon setup',
    ...(simulatorUrl === null
      ? []
      : [`  The platforms are simulated: what you publish appears at ${simulatorUrl} and nowhere else.`]),
    '',
    `  API        ${url}/api, described at ${url}/docs`,
    `  Data       ${dir}`,
    `  Logs       ${dir}/logs`,
    '  Stop       Ctrl-C',
  ].join('\n')
}
