import { UsageError } from './cli-error.ts'
import { commands } from './command-list.ts'
import { describeFailure } from './describe-failure.ts'
import { exitCodes, type ExitCode } from './exit-codes.ts'
import type { Call, CommandEntry } from './line/command.ts'
import { parseLine } from './line/parse-line.ts'
import { writeJson } from './output/write-json.ts'
import { processTerminal, type Terminal } from './terminal.ts'

type Program = { version: string; others?: Call['others'] }

/** Runs one command line and gives the exit code. Nothing of a command is loaded before it is known which one it is. */
export async function runCli(args: readonly string[], { version, others = [] }: Program): Promise<ExitCode> {
  const terminal = processTerminal()
  const [first] = args
  if (first === '--version') {
    terminal.print(version)
    return exitCodes.ok
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const { programHelp } = await import('./line/write-help.ts')
    terminal.print(programHelp(commands))
    return exitCodes.ok
  }
  // A failure is written as JSON too, and it may be that the command line cannot be read.
  const isJson = args.includes('--json')
  try {
    return await runCommand(findCommand(args), { terminal, isJson, commands, others })
  } catch (error) {
    return report(error, terminal, isJson)
  }
}

/** Whether these words begin with the name of a command for people, or of a group of them. */
export function isCommandForPeople([first = '']: readonly string[]): boolean {
  return commands.some(({ name }) => name.split(' ')[0] === first)
}

type Found = { entry: CommandEntry; rest: readonly string[] }

async function runCommand({ entry, rest }: Found, call: Call): Promise<ExitCode> {
  const { terminal } = call
  const command = await entry.load()
  try {
    const { wantsHelp, isJson, ...line } = parseLine(rest, entry.name, command)
    if (wantsHelp) {
      const { commandHelp } = await import('./line/write-help.ts')
      terminal.print(commandHelp(entry, command))
      return exitCodes.ok
    }
    const { data, text, code = exitCodes.ok } = await command.execute(line, { ...call, isJson })
    if (isJson && data !== undefined) terminal.print(writeJson(data))
    if (!isJson && text !== null) terminal.print(text)
    return code
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${error.message}\nSee: carillon ${entry.name} --help`) : error
  }
}

/** Names of commands have one or two words. */
function findCommand(args: readonly string[]): Found {
  for (const length of [2, 1]) {
    const name = args.slice(0, length).join(' ')
    const entry = commands.find((each) => each.name === name && name.split(' ').length === length)
    if (entry) return { entry, rest: args.slice(length) }
  }
  const [first = ''] = args
  const inGroup = commands.map(({ name }) => name).filter((name) => name.startsWith(`${first} `))
  throw new UsageError(
    inGroup.length > 0
      ? `"carillon ${first}" needs a second word: ${inGroup.map((name) => `carillon ${name}`).join(', ')}`
      : `"${first}" is not a command of this program.\nSee: carillon --help`,
  )
}

function report(error: unknown, terminal: Terminal, isJson: boolean): ExitCode {
  const { exitCode, lines, ...failure } = describeFailure(error)
  terminal.note(isJson ? writeJson({ error: failure }) : lines.join('\n'))
  return exitCode
}
