/** Progress goes to stderr; stdout is for figures. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
