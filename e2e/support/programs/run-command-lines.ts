import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'

type Cli = { runCli(args: readonly string[], program: { version: string }): Promise<number> }

/**
 * Runs many command lines one after the other in one process, because most of the time of a short command is the start of its process. Each line of the
 * input is `{args, env}`; each line of the output is what the command wrote as an error, and its exit code.
 */
const { runCli } = (await import(join(root, 'cli/src/index.ts'))) as Cli
const write = process.stdout.write.bind(process.stdout)
process.stdout.setMaxListeners(0)
process.stderr.setMaxListeners(0)
for await (const line of createInterface({ input: process.stdin })) {
  const { args, env } = JSON.parse(line) as { args: string[]; env: Record<string, string> }
  Object.assign(process.env, env)
  let notes = ''
  process.stdout.write = () => true
  process.stderr.write = (text) => {
    notes += String(text)
    return true
  }
  const code = await runCli(args, { version: '0.0.0' })
  write(`${JSON.stringify({ code, notes })}\n`)
}
process.exit(0)
