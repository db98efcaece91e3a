import { parseArgs } from 'node:util'
import { UsageError } from '../cli-error.ts'
import type { Command } from './command.ts'
import type { Given } from './option.ts'

type ParsedLine = { words: string[]; given: Map<string, Given[]>; isJson: boolean; wantsHelp: boolean }

/** Reads the words after the name of a command. What the command does not know is refused, so that a typing error has no silent effect. */
export function parseLine(args: readonly string[], name: string, { options, words }: Command): ParsedLine {
  const known = Object.entries(options).map(
    ([option, { placeholder }]) => [option, { type: placeholder === null ? 'boolean' : 'string' }] as const,
  )
  const common = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...common, ...Object.fromEntries(known) },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const line: ParsedLine = { words: [], given: new Map(), isJson: false, wantsHelp: false }
  for (const token of tokens) {
    if (token.kind === 'positional') line.words.push(token.value)
    if (token.kind !== 'option') continue
    if (token.name === 'json') line.isJson = true
    else if (token.name === 'help') line.wantsHelp = true
    else if (options[token.name] === undefined) throw new UsageError(describeUnknown(token.rawName, name, Object.keys(options)))
    else line.given.set(token.name, [...(line.given.get(token.name) ?? []), { value: token.value ?? true, at: token.index }])
  }
  if (!line.wantsHelp) checkWords(line.words, name, words)
  return line
}

function describeUnknown(rawName: string, name: string, known: readonly string[]): string {
  return `${rawName} is not an option of "carillon ${name}". It has ${[...known, 'json', 'help'].map((each) => `--${each}`).join(', ')}.`
}

function checkWords(given: readonly string[], name: string, words: Command['words']): void {
  const { min, max, placeholder } = words ?? { min: 0, max: 0, placeholder: '' }
  if (given.length < min) throw new UsageError(`${placeholder} is missing. Write: carillon ${name} ${placeholder}`)
  if (given.length > max)
    throw new UsageError(`"${given[max]}" is one word too many for "carillon ${name}". A text with spaces needs quotes.`)
}
