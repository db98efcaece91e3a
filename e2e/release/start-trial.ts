import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil, WaitAborted } from '@carillon/stack/services'

type Options = { command: string; args: readonly string[]; cwd: string; env: Record<string, string>; data: string; port: number }

export type Trial = { simulatorUrl: string; stop(): Promise<void> }

/** Runs `carillon try` as a person does in a terminal, and waits until it says that it is ready. */
export async function startTrial({ command, args, cwd, env, data, port }: Options): Promise<Trial> {
  const child = spawn(command, [...args, 'try', '--data', data, '--port', String(port)], {
    cwd,
    env: { ...process.env, ...env },
    // A group of its own, as a terminal makes for each command.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let screen = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (screen += text))
  const isEnded = () => child.exitCode !== null || child.signalCode !== null
  const isReady = () => {
    if (isEnded()) throw new WaitAborted(`carillon try ended with ${child.exitCode}\n${screen}`)
    return screen.includes('Carillon is ready: ')
  }
  const simulatorUrl = () => /appears at (http:\S+) and nowhere else/.exec(screen)?.[1] ?? ''
  const isStopped = () => isEnded() && !existsSync(join(data, 'running.json'))
  await waitUntil(isReady, { what: 'carillon try is ready', withinMs: 240_000, everyMs: 200 })
  return {
    simulatorUrl: simulatorUrl(),
    async stop() {
      // Ctrl-C goes to every process of the command: npx, and the program that it started.
      process.kill(-(child.pid ?? 0), 'SIGINT')
      await waitUntil(isStopped, { what: `carillon try has stopped\n${screen}`, withinMs: 120_000, everyMs: 200 })
    },
  }
}
