import { StartError } from '../problem/start-error.ts'
import { findNearest } from '../text/find-nearest.ts'
import type { Command, CommandEntry } from './command.ts'
import { explainError } from './explain-error.ts'
import { commandHelp, programHelp } from './help-text.ts'
import { parseWords } from './parse-words.ts'
import { UsageError } from './usage-error.ts'

/** Stable: scripts depend on them. */
export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

type Program = {
  entries: readonly CommandEntry[]
  about: string
  version: string
  print(text: string): void
  printError(text: string): void
}

/** Runs one command line. A command such as `serve` goes on after this returns. */
export async function runProgram(words: readonly string[], program: Program): Promise<ExitCode> {
  const { entries, about, version, print, printError } = program
  const [first] = words
  if (first === '--help' || first === '-h' || first === 'help') {
    print(programHelp(entries, about))
    return exitCodes.ok
  }
  if (first === '--version') {
    print(version)
    return exitCodes.ok
  }
  try {
    const found = findCommand(words, entries)
    return await runCommand(found, program)
  } catch (error) {
    if (error instanceof UsageError) {
      printError(error.message)
      return exitCodes.usage
    }
    printError(explainError(error) ?? `This is an error in Carillon; please report it. ${describe(error)}`)
    if (!(error instanceof StartError)) printError('"carillon doctor" checks the whole installation.')
    return exitCodes.failed
  }
}

type Found = { entry: CommandEntry; rest: readonly string[] }

async function runCommand({ entry, rest }: Found, { print }: Program): Promise<ExitCode> {
  const command = await entry.load()
  const { given, isJson, wantsHelp } = withAdvice(entry, () => parseWords(rest, { name: entry.name, options: command.options }))
  if (wantsHelp) {
    print(commandHelp(entry, command))
    return exitCodes.ok
  }
  const { result, text, isFailed } = await execute(entry, command, given)
  if (isJson && result !== null) print(JSON.stringify(result))
  if (!isJson && text !== null) print(text)
  return isFailed ? exitCodes.failed : exitCodes.ok
}

async function execute(entry: CommandEntry, command: Command, given: Parameters<Command['execute']>[0]) {
  try {
    return await command.execute(given)
  } catch (error) {
    throw advise(entry, error)
  }
}

function withAdvice<T>(entry: CommandEntry, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw advise(entry, error)
  }
}

function advise({ name }: CommandEntry, error: unknown): unknown {
  return error instanceof UsageError ? new UsageError(`${error.message}\nSee: carillon ${name} --help`) : error
}

/** Names of commands have one or two words. */
function findCommand(words: readonly string[], entries: readonly CommandEntry[]): Found {
  for (const length of [2, 1]) {
    const entry = entries.find(({ name }) => name === words.slice(0, length).join(' ') && name.split(' ').length === length)
    if (entry) return { entry, rest: words.slice(length) }
  }
  throw new UsageError(describeUnknown(words, entries))
}

function describeUnknown([first = '', second = '']: readonly string[], entries: readonly CommandEntry[]): string {
  const names = entries.map(({ name }) => name)
  const inGroup = names.filter((name) => name.startsWith(`${first} `))
  if (inGroup.length > 0)
    return `"carillon ${first}" needs a second word: ${inGroup.map((name) => `carillon ${name}`).join(', ')}`
  const nearest = findNearest(first, names) ?? findNearest(`${first} ${second}`, names)
  const hint = nearest === undefined ? '' : ` Did you mean "carillon ${nearest}"?`
  return first === ''
    ? 'A command is missing.\nSee: carillon --help'
    : `"${first}" is not a command.${hint}\nSee: carillon --help`
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
