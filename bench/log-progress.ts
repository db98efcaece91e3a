/** Progress goes to stderr; stdout is for figures. */
export function logProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}
