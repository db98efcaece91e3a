import { world } from '../world.ts'

/** A mail as the mail server got it: what the reader's program shows, and whom the envelope names. */
export type Letter = {
  id: string
  subject: string
  from: { address: string; name: string }[]
  to: { address: string }[]
  envelope: { to: { address: string }[] }
  text: string
  html: string
}

const waitMs = 20_000
const { readUrl } = world.mail ?? { readUrl: '' }

export async function lettersTo(address: string): Promise<Letter[]> {
  const all = (await (await fetch(`${readUrl}/api/email`)).json()) as Letter[]
  return all.filter(({ to }) => to.some((each) => each.address.toLowerCase() === address.toLowerCase()))
}

/** Waits for a mail to this address whose subject holds these words, and that is none of those read before. */
export async function letterTo(address: string, words: string, before: readonly Letter[] = []): Promise<Letter> {
  const read = new Set(before.map(({ id }) => id))
  for (const endMs = Date.now() + waitMs; Date.now() < endMs;) {
    const letter = (await lettersTo(address)).find(({ id, subject }) => subject.includes(words) && !read.has(id))
    if (letter) return letter
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no mail to ${address} about “${words}”`)
}

/** As it came over the wire: the names of its headers, and the types of its parts. */
export async function anatomyOf({ id }: Letter): Promise<{ headers: string[]; parts: string[] }> {
  const source = await (await fetch(`${readUrl}/api/email/${id}/source`)).text()
  const [head = '', ...rest] = source.split(/\r?\n\r?\n/)
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return {
    headers: lines.map((line) => line.split(':')[0]?.toLowerCase() ?? '').toSorted(),
    parts: [...rest.join('\n\n').matchAll(/^content-type: ([\w/]+)/gim)].map(([, type = '']) => type),
  }
}

/** The one thing a mail asks for: the last address in its text. */
export function linkIn({ text }: Letter): string {
  const link = text.match(/https?:\/\/\S+/g)?.at(-1)
  if (link === undefined) throw new Error('there is no link in this mail')
  return link
}
