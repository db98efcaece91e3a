import type { Given, Options, ValuesOf } from './option.ts'

/** A command in the list of the program. Its code is loaded only if it is used, so that `--help` is fast. */
export type CommandEntry = { name: string; summary: string; load(): Promise<Command> }

export type Command = {
  /** Full sentences for `--help`: what the command needs, changes and prints. */
  details: string
  options: Options
  execute(given: Readonly<Record<string, Given>>): Promise<Outcome>
}

/** What a command prints: `result` for programs (`--json`), `text` for people. Null in both: it prints nothing at its end. */
type Outcome = { result: unknown; text: string | null; isFailed: boolean }

type Definition<Of extends Options, Result> = {
  details: string
  options: Of
  run(values: ValuesOf<Of>): Promise<Result>
  /** The result in plain sentences. Null prints nothing. */
  present(result: Result): string | null
  /** True if the command did its work and what it found is bad: the exit code is 1. */
  isFailed?(result: Result): boolean
}

export function defineCommand<Of extends Options, Result>(definition: Definition<Of, Result>): Command {
  const { details, options, run, present, isFailed } = definition
  return {
    details,
    options,
    async execute(given) {
      const result = await run(readValues(options, given))
      return { result: result ?? null, text: present(result), isFailed: isFailed?.(result) ?? false }
    },
  }
}

function readValues<Of extends Options>(options: Of, given: Readonly<Record<string, Given>>): ValuesOf<Of> {
  const values = Object.entries(options).map(([name, option]) => [name, option.read(given[name], name)])
  return Object.fromEntries(values) as ValuesOf<Of>
}
