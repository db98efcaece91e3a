import { parseArgs } from 'node:util'
import { StartError } from '../problem/problem.ts'
import { findNearest } from '../text/find-nearest.ts'
import type { Command, CommandEntry } from './command.ts'
import { explainError } from './explain-error.ts'
import { type Given, type Options, UsageError } from './option.ts'

/** Stable: scripts depend on them. */
export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

type Program = {
  entries: readonly CommandEntry[]
  /** Commands of another program under the same word, for the help. */
  entriesForPeople?: readonly Named[]
  about: string
  version: string
  print(text: string): void
  printError(text: string): void
}

/** Options that every command has. */
const commonOptions = ['json', 'help'] as const

type Parsed = { given: Record<string, Given>; isJson: boolean; wantsHelp: boolean }

const columns = 100

/** Runs one command line. A command such as `serve` goes on after this returns. */
export async function runProgram(words: readonly string[], program: Program): Promise<ExitCode> {
  const { entries, entriesForPeople = [], about, version, print, printError } = program
  const [first] = words
  if (first === '--help' || first === '-h' || first === 'help') {
    print(programHelp(entries, entriesForPeople, about))
    return exitCodes.ok
  }
  if (first === '--version') {
    print(version)
    return exitCodes.ok
  }
  try {
    const found = findCommand(words, entries, entriesForPeople)
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

type Named = Pick<CommandEntry, 'name' | 'summary'>
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
function findCommand(words: readonly string[], entries: readonly CommandEntry[], others: readonly Named[]): Found {
  for (const length of [2, 1]) {
    const entry = entries.find(({ name }) => name === words.slice(0, length).join(' ') && name.split(' ').length === length)
    if (entry) return { entry, rest: words.slice(length) }
  }
  throw new UsageError(describeUnknown(words, [...entries, ...others]))
}

function describeUnknown([first = '', second = '']: readonly string[], entries: readonly Named[]): string {
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

/** Reads the words after the name of a command. What the command does not know is refused, so that a typing error has no silent effect. */
function parseWords(words: readonly string[], { name: command, options }: { name: string; options: Options }): Parsed {
  const known = Object.entries(options).map(([name, { placeholder }]) => [name, { type: kindOf(placeholder) }] as const)
  const common = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  const { tokens } = parseArgs({
    args: [...words],
    options: { ...common, ...Object.fromEntries(known) },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const wordName = Object.keys(options).find((name) => options[name]?.isWord)
  const given: Record<string, Given> = {}
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    const name = token.kind === 'option' ? token.name : wordName
    if (name === undefined) throw new UsageError(`"${token.value}" is one word too many for "carillon ${command}".`)
    if (token.kind === 'option') checkKnown(token.rawName, name, [...commonOptions, ...Object.keys(options)])
    if (name in given) throw new UsageError(`--${name} is given twice. Give it once.`)
    given[name] = token.value ?? true
  }
  const { json, help, ...own } = given
  return { given: own, isJson: json === true, wantsHelp: help === true }
}

function kindOf(placeholder: string | null): 'boolean' | 'string' {
  return placeholder === null ? 'boolean' : 'string'
}

function checkKnown(rawName: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const nearest = findNearest(name, known)
  throw new UsageError(`${rawName} is not an option of this command.${nearest ? ` Did you mean --${nearest}?` : ''}`)
}

/** What `carillon --help` prints. */
function programHelp(entries: readonly Named[], entriesForPeople: readonly Named[], about: string): string {
  const width = Math.max(...[...entries, ...entriesForPeople].map(({ name }) => name.length)) + 2
  const list = (named: readonly Named[]) => named.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`)
  return [
    about,
    '',
    'Usage: carillon <command> [options]',
    '',
    ...(entriesForPeople.length === 0
      ? list(entries)
      : [
          'For people and scripts, from anywhere, with an API key:',
          ...list(entriesForPeople),
          '',
          'For operators, on a machine of the installation:',
          ...list(entries),
        ]),
    '',
    '  carillon                    the same as carillon try',
    '  carillon <command> --help   the options of a command',
    '  carillon <command> --json   print the result as JSON',
    '  carillon --version          the version of this program',
    '',
    entriesForPeople.length === 0
      ? 'Exit codes: 0 done, 1 failed, 2 the command line is wrong.'
      : 'Exit codes of commands for operators: 0 done, 1 failed, 2 the command line is wrong. The others have more; their help lists them.',
  ].join('\n')
}

/** What `carillon <command> --help` prints. */
export function commandHelp({ name, summary }: CommandEntry, { details, options }: Command): string {
  const described = [
    ...Object.entries(options).map(([option, { about, placeholder, isRequired }]) => ({
      head: `--${option}${placeholder === null ? '' : ` ${placeholder}`}`,
      about: isRequired ? `${about} Required.` : about,
    })),
    { head: '--json', about: 'Print the result as JSON.' },
    { head: '--help', about: 'Print this text.' },
  ]
  const required = Object.entries(options).flatMap(([option, { placeholder, isRequired, isWord }]) =>
    isRequired ? [isWord ? ` ${placeholder}` : ` --${option} ${placeholder}`] : [],
  )
  const width = Math.min(Math.max(...described.map(({ head }) => head.length)) + 2, 34)
  return [
    `carillon ${name}: ${summary}`,
    '',
    `Usage: carillon ${name}${required.join('')} [options]`,
    '',
    ...wrap(details, columns),
    '',
    ...described.flatMap(({ head, about }) => layOut(head, wrap(about, columns - width - 2), width)),
  ].join('\n')
}

/** A head that is too long for its column gets a line of its own. */
function layOut(head: string, lines: readonly string[], width: number): string[] {
  const isLong = head.length > width - 2
  const body = isLong ? ['', ...lines] : lines
  return body.map((line, at) => `  ${(at === 0 ? head : '').padEnd(width)}${line}`.trimEnd())
}

/** Breaks each paragraph into lines of at most this many characters. */
function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? ''
      if (line !== '' && line.length + word.length + 1 > width) lines.push(word)
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
    }
    return lines
  })
}
