import { exitCodes } from '../exit-codes.ts'
import type { Command, CommandEntry } from './command.ts'

const columns = 100

const about = 'Carillon publishes to many social accounts: on time, once, and with a reliable result for each.'

/** What `carillon --help` prints where this is the whole program. */
export function programHelp(entries: readonly CommandEntry[]): string {
  const width = Math.max(...entries.map(({ name }) => name.length)) + 2
  return [
    about,
    '',
    'Usage: carillon <command> [options]',
    '',
    'For people and scripts, with an API key:',
    ...entries.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    '  carillon <command> --help   the options of a command, with examples',
    '  carillon <command> --json   print the result as JSON',
    '  carillon --version          the version of this program',
    '',
    'For operators, serve, doctor, backup and others are commands of the server: npm install --global carillon',
    '',
    exitCodeHelp,
  ].join('\n')
}

const exitCodeHelp = [
  `Exit codes: ${exitCodes.ok} done, ${exitCodes.usage} the command line is wrong, ${exitCodes.refused} refused by Carillon,`,
  `${exitCodes.notPublished} an account failed or is unconfirmed, ${exitCodes.unreachable} no answer, ${exitCodes.unfinished} --wait ended too early.`,
].join(' ')

/** What `carillon <command> --help` prints. */
export function commandHelp({ name, summary }: CommandEntry, { details, examples, options, words }: Command): string {
  const described = [
    ...(words === null ? [] : [{ head: words.placeholder, about: words.about }]),
    ...Object.entries(options).map(([option, { about: text, placeholder }]) => ({
      head: `--${option}${placeholder === null ? '' : ` ${placeholder}`}`,
      about: text,
    })),
    { head: '--json', about: 'Print the result as JSON.' },
    { head: '--help', about: 'Print this text.' },
  ]
  const width = Math.min(Math.max(...described.map(({ head }) => head.length)) + 2, 32)
  return [
    `carillon ${name}: ${summary}`,
    '',
    `Usage: carillon ${name}${words === null ? '' : ` ${words.placeholder}`} [options]`,
    '',
    ...wrap(details, columns),
    '',
    ...described.flatMap(({ head, about: text }) => layOut(head, wrap(text, columns - width - 2), width)),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
    exitCodeHelp,
  ].join('\n')
}

/** A head that is too long for its column gets a line of its own. */
function layOut(head: string, lines: readonly string[], width: number): string[] {
  const body = head.length > width - 2 ? ['', ...lines] : lines
  return body.map((line, at) => `  ${(at === 0 ? head : '').padEnd(width)}${line}`.trimEnd())
}

/** Breaks a text into lines of at most this many characters. */
function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
