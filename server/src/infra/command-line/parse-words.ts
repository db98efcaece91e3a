import { parseArgs } from 'node:util'
import { findNearest } from '../text/find-nearest.ts'
import type { Given, Options } from './option.ts'
import { UsageError } from './usage-error.ts'

/** Options that every command has. */
const commonOptions = ['json', 'help'] as const

type Parsed = { given: Record<string, Given>; isJson: boolean; wantsHelp: boolean }

/** Reads the words after the name of a command. What the command does not know is refused, so that a typing error has no silent effect. */
export function parseWords(words: readonly string[], { name: command, options }: { name: string; options: Options }): Parsed {
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
