import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installDebian } from './debian.ts'
import { startProgram, type Running } from './process.ts'
import { runCommand } from './run-command.ts'
import { respondsOk } from './wait-until.ts'

const [server, tool] = ['/usr/bin/prometheus', '/usr/bin/promtool']

async function installPrometheus(): Promise<void> {
  if (!existsSync(server) || !existsSync(tool)) await installDebian(['prometheus'])
}

/** Runs promtool, which checks and tests rules, and returns what it printed. Throws if it found a fault. */
export async function runPromtool(args: readonly string[]): Promise<string> {
  await installPrometheus()
  return runCommand(tool, args)
}

/** `targets`: the addresses (host and port) of each job. */
export type PrometheusOptions = {
  dir: string
  port: number
  rulesFile: string
  targets: Record<string, readonly string[]>
  everySeconds?: number
}
export type Prometheus = Running & { url: string }

/** Starts a Prometheus that reads the metrics of a stack, every second unless told otherwise. */
export async function startPrometheus({
  dir,
  port,
  rulesFile,
  targets,
  everySeconds = 1,
}: PrometheusOptions): Promise<Prometheus> {
  await installPrometheus()
  await mkdir(dir, { recursive: true })
  const configFile = join(dir, 'prometheus.json')
  const jobs = Object.entries(targets).map(([name, addresses]) => ({ job_name: name, static_configs: [{ targets: addresses }] }))
  // JSON is YAML too.
  await writeFile(
    configFile,
    JSON.stringify({
      global: { scrape_interval: `${everySeconds}s`, evaluation_interval: `${everySeconds}s` },
      rule_files: [rulesFile],
      scrape_configs: jobs,
    }),
  )
  const url = `http://127.0.0.1:${port}`
  const running = await startProgram({
    name: 'Prometheus',
    command: server,
    args: [`--config.file=${configFile}`, `--storage.tsdb.path=${join(dir, 'data')}`, `--web.listen-address=127.0.0.1:${port}`],
    logFile: join(dir, 'prometheus.log'),
    isReady: () => respondsOk(`${url}/-/ready`),
  })
  return Object.assign(running, { url })
}
