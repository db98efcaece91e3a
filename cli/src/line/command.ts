import type { ExitCode } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import type { Given, Option } from './option.ts'

/** A command in the list. Its code is loaded only if it is used, so that every command starts fast. */
export type CommandEntry = { name: string; summary: string; load(): Promise<Command> }

export type Options = Readonly<Record<string, Option>>
export type ValuesOf<Of extends Options> = { [Name in keyof Of]: Of[Name] extends Option<infer Value> ? Value : never }

/** The words of a command that have no name. */
type Words = { placeholder: string; about: string; min: number; max: number }

/** What a command knows beside its options. `others` are the commands of another program that shares the word `carillon`. */
export type Call = {
  terminal: Terminal
  isJson: boolean
  commands: readonly CommandEntry[]
  others: readonly Pick<CommandEntry, 'name' | 'summary'>[]
}

/** `data` for programs (`--json`), `text` for people; a command that has printed already gives undefined and null. */
export type Outcome = { data: unknown; text: string | null; code?: ExitCode }

export type Command = {
  /** Full sentences for `--help`: what the command needs, changes and prints. */
  details: string
  examples: readonly string[]
  words: Words | null
  options: Options
  execute(line: { words: readonly string[]; given: ReadonlyMap<string, readonly Given[]> }, call: Call): Promise<Outcome>
}

type Definition<Of extends Options> = {
  details: string
  examples: readonly string[]
  words?: Words
  options: Of
  run(values: ValuesOf<Of>, words: readonly string[], call: Call): Promise<Outcome>
}

export function defineCommand<Of extends Options>({ words, run, ...definition }: Definition<Of>): Command {
  return {
    ...definition,
    words: words ?? null,
    async execute(line, call) {
      const values = Object.entries(definition.options).map(([name, option]) => [
        name,
        option.read(line.given.get(name) ?? [], name),
      ])
      return run(Object.fromEntries(values) as ValuesOf<Of>, line.words, call)
    },
  }
}
