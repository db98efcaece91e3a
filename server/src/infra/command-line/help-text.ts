import type { Command, CommandEntry } from './command.ts'

const columns = 100

/** What `carillon --help` prints. */
export function programHelp(entries: readonly CommandEntry[], about: string): string {
  const width = Math.max(...entries.map(({ name }) => name.length)) + 2
  const lines = entries.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`)
  return [
    about,
    '',
    'Usage: carillon <command> [options]',
    '',
    ...lines,
    '',
    '  carillon                    the same as carillon try',
    '  carillon <command> --help   the options of a command',
    '  carillon <command> --json   print the result as JSON',
    '  carillon --version          the version of this program',
    '',
    'Exit codes: 0 done, 1 failed, 2 the command line is wrong.',
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
