import type { Transport } from '../http.ts'

export type ChangedAnswer = {
  transport: Transport
  /** The call whose answer was changed; null if there were fewer. */
  changed(): string | null
  /** Whether the same call was made again, although the platform had carried it out. One that only reads may be. */
  isRepeated(): boolean
}

type Request = Parameters<Transport>[0]

/** Lets every request reach the platform, and changes the body of one success, or of all: `which` counts from 1. */
export function changeAnswer(
  transport: Transport,
  which: number | 'all',
  change: (text: string, request: Request) => string,
): ChangedAnswer {
  const calls: string[] = []
  let changed: Request | null = null
  let changedAt = 0
  return {
    async transport(request) {
      calls.push(keyOf(request))
      const at = calls.length
      const reply = await transport(request)
      if ((which !== 'all' && at !== which) || reply.status < 200 || reply.status > 299) return reply
      changed = request
      changedAt = at
      return { ...reply, text: async (bytesMax) => change(await reply.text(bytesMax), request) }
    },
    changed: () =>
      calls.length < Number(which) ? null : changed ? `${changed.method} ${new URL(changed.url).pathname}` : 'none',
    isRepeated: () => changed !== null && changed.method !== 'GET' && calls.slice(changedAt).includes(keyOf(changed)),
  }
}

function keyOf({ method, url, headers, body }: Request): string {
  return [method, url, headers['content-range'], body instanceof ReadableStream ? 'stream' : body].join(' ')
}

const newField =
  '"newly_added": {"id": "another", "url": "https://another.example/", "error": null, "items": [{"id": "another"}]}'

/** A field that no documentation names, in every object of a JSON body. Not by parsing it, which would change ids that are large numbers. */
export function addFields(body: string): string {
  if (!/^[{[]/.test(body)) return body
  let [changed, isInString] = ['', false]
  for (let at = 0; at < body.length; at++) {
    const character = body[at] ?? ''
    changed += character
    if (isInString && character === '\\') changed += body[++at] ?? ''
    else if (character === '"') isInString = !isInString
    else if (!isInString && character === '{') changed += /^\s*\}/.test(body.slice(at + 1, at + 50)) ? newField : `${newField},`
  }
  return changed
}
