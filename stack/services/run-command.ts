import { spawn } from 'node:child_process'

export type CommandOptions = {
  cwd?: string
  env?: Record<string, string>
  input?: string
  /** Receives stderr in pieces of any size. Without it, stderr is only used for the error message. */
  onErrorOutput?: (text: string) => void
}

const errorCharsMax = 4000

/** Runs a program to its end and returns what it printed. If it fails, the error contains the end of its output. */
export function runCommand(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { cwd, env, input, onErrorOutput } = options
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let printed = ''
    let errorOutput = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(-errorCharsMax)
      onErrorOutput?.(text)
    })
    child.on('error', fail)
    child.on('close', (code, signal) => {
      if (code === 0) return done(printed)
      const end = errorOutput || printed.slice(-errorCharsMax)
      fail(new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}\n${end}`))
    })
    // A program that does not read its input may close it early, which is no failure.
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
  })
}
