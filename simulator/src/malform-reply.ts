import type { Headers, Reply } from './http/reply.ts'

const referenceName = /(?:ids?|uris?|urls?|urn|cid|permalink)$/i
const referenceValue = /^(?:urn:|at:|https?:)/
const referenceHeaders = ['x-restli-id', 'location']

/** Puts NUL and lone surrogates into the ids and URLs of a successful reply. Its status and its other fields stay the same. */
export function malformReply(reply: Reply): Reply {
  if (reply.status >= 400) return reply
  return { status: reply.status, headers: malformHeaders(reply.headers), body: malformBody(reply.body) }
}

/** HTTP does not allow NUL in a header. Bytes that are not UTF-8 take its place there. */
function malformHeaders(headers: Headers): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    referenceHeaders.includes(name) ? `${value}\u00ff\u00fe` : value,
  ])
  return Object.fromEntries(entries)
}

function malformBody(body: Reply['body']): Reply['body'] {
  try {
    return JSON.stringify(malform('', JSON.parse(String(body))))
  } catch {
    return body
  }
}

function malform(name: string, value: unknown): unknown {
  if (typeof value === 'string') return referenceName.test(name) || referenceValue.test(value) ? malformText(value) : value
  if (Array.isArray(value)) return value.map((item) => malform(name, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, malform(key, item)]))
}

function malformText(text: string): string {
  const middle = Math.floor(text.length / 2)
  return `${text.slice(0, middle)}\u0000\ud800${text.slice(middle)}\udfff`
}
