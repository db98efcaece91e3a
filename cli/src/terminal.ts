export type Environment = Readonly<Record<string, string | undefined>>

/** Where a command reads and writes. Standard output has the result and nothing else; everything about the work goes to `note`. */
export type Terminal = {
  env: Environment
  /** Whether a person can be asked. */
  isInteractive: boolean
  hasColor: boolean
  /** The width for people; null if the output goes to a file or a program. */
  columns: number | null
  print(text: string): void
  note(text: string): void
  /** All of standard input. */
  readInput(): Promise<string>
  ask(question: string): Promise<string>
  /** The same without showing what is typed. */
  askSecret(question: string): Promise<string>
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  // A reader such as `head` that has enough closes the pipe.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  // Nobody reads the notes any more; the work goes on.
  stderr.on('error', () => {})
  return {
    env,
    isInteractive: stdin.isTTY && stderr.isTTY,
    hasColor: stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    columns: stdout.isTTY ? stdout.columns : null,
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    async readInput() {
      const { text } = await import('node:stream/consumers')
      return text(stdin)
    },
    async ask(question) {
      const { createInterface } = await import('node:readline/promises')
      const lines = createInterface({ input: stdin, output: stderr })
      try {
        return (await lines.question(question)).trim()
      } finally {
        lines.close()
      }
    },
    async askSecret(question) {
      stderr.write(question)
      stdin.setRawMode(true)
      try {
        return await readLine(stdin)
      } finally {
        stdin.setRawMode(false)
        stdin.pause()
        stderr.write('\n')
      }
    },
  }
}

const [ctrlC, ctrlD, backspace, del] = ['\u0003', '\u0004', '\b', '\u007F']

/** In raw mode nothing is shown, and the keys that end or correct a line are ours to handle. */
async function readLine(stdin: NodeJS.ReadStream): Promise<string> {
  let line = ''
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    for (const key of String(chunk)) {
      if (key === '\r' || key === '\n' || key === ctrlD) return line.trim()
      if (key === ctrlC) process.exit(130)
      line = key === backspace || key === del ? line.slice(0, -1) : line + key
    }
  }
  return line.trim()
}
