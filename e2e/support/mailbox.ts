import { testStack } from '../test-stack.ts'

/** A mail as the mail server received it: what a mail program shows, and the recipients in the envelope. */
export type Mail = {
  id: string
  subject: string
  from: { address: string; name: string }[]
  to: { address: string }[]
  envelope: { to: { address: string }[] }
  text: string
  html: string
}

const waitMs = 20_000
const { readUrl } = testStack.mail ?? { readUrl: '' }

export async function findMails(address: string): Promise<Mail[]> {
  const all = (await (await fetch(`${readUrl}/api/email`)).json()) as Mail[]
  return all.filter(({ to }) => to.some((each) => each.address.toLowerCase() === address.toLowerCase()))
}

/** Waits for a mail to this address whose subject contains these words and that is not one of `before`. */
export async function waitForMail(address: string, words: string, before: readonly Mail[] = []): Promise<Mail> {
  const read = new Set(before.map(({ id }) => id))
  for (const endMs = Date.now() + waitMs; Date.now() < endMs;) {
    const mail = (await findMails(address)).find(({ id, subject }) => subject.includes(words) && !read.has(id))
    if (mail) return mail
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no mail to ${address} about “${words}”`)
}

/** The names of its headers and the types of its parts, read from its source. */
export async function readMailStructure({ id }: Mail): Promise<{ headers: string[]; parts: string[] }> {
  const source = await (await fetch(`${readUrl}/api/email/${id}/source`)).text()
  const [head = '', ...rest] = source.split(/\r?\n\r?\n/)
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return {
    headers: lines.map((line) => line.split(':')[0]?.toLowerCase() ?? '').toSorted(),
    parts: [...rest.join('\n\n').matchAll(/^content-type: ([\w/]+)/gim)].map(([, type = '']) => type),
  }
}

/** The pages of the app that mailed links open, and the pages of the server that do the same without a script. */
const plainPages: readonly (readonly [string, string])[] = [
  ['/address?', '/auth/address?'],
  ['/verify?', '/auth/verify?'],
  ['/reset?', '/auth/password?'],
  ['/join?', '/invitations/accept?'],
]

/** The link of a mail, as an address that a program without a browser can use: it takes the same token. */
export function findLink(mail: Mail): string {
  return plainPages.reduce((link, [page, plain]) => link.replace(page, plain), findAppLink(mail))
}

/** The last URL in the text of a mail: every mail of the service ends with the one link that it is about. */
export function findAppLink({ text }: Mail): string {
  const link = text.match(/https?:\/\/\S+/g)?.at(-1)
  if (link === undefined) throw new Error('there is no link in this mail')
  return link
}
