import { spawn } from 'node:child_process'

export type Command = {
  cwd?: string
  env?: Record<string, string>
  input?: string
  /** Where the program's own words go, line by line or in lumps; left out, they are only kept for the error. */
  onErrorOutput?: (text: string) => void
}

const keptChars = 4000

/** Runs a program to its end and gives what it printed; throws with the end of its output when it fails. */
export function runCommand(program: string, args: readonly string[], options: Command = {}): Promise<string> {
  const { cwd, env, input, onErrorOutput } = options
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let printed = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-keptChars)
      onErrorOutput?.(text)
    })
    child.on('error', fail)
    child.on('close', (code, signal) => {
      if (code === 0) return done(printed)
      const end = complaint || printed.slice(-keptChars)
      fail(new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}\n${end}`))
    })
    // A program that does not read its input may close it early: that is no failure of ours.
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
  })
}
