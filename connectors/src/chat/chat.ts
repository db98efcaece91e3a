/** How a chat of the platform is told a line: text only, which can mention nobody. The server sends it, with its retries and its guard. */
export type Chat = {
  /** What is wrong with an address, as a sentence; null if it can be one. */
  findProblem(address: URL): string | null
  /** Where the message is sent. It has all that is secret in the address. */
  urlOf(address: URL): string
  bodyOf(text: string, address: URL): Record<string, unknown>
  /** How many seconds an answer asks to wait, where it is in the body and not in a header. */
  waitSeconds?(body: unknown): number | undefined
}

/** An invisible sign after each @ makes it a letter like any other. */
export function withoutMentions(text: string): string {
  return text.replaceAll('@', '@\u200B')
}

export function readNumber(value: unknown, name: string): number | undefined {
  const found = readField(value, name)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined
}

export function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
}
