/** A program that opens videos is not installed. `check-decoders.ts` reports it at start. */
export class MissingToolError extends Error {
  constructor(tool: string) {
    super(`${tool} is not installed`)
    this.name = 'MissingToolError'
  }
}
