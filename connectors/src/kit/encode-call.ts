import type { TSchema } from 'typebox'
import type { Attach, Call } from './http.ts'
import { PlatformError } from './platform-error.ts'

type EncodedRequest = {
  url: string
  headers: Record<string, string>
  body: string | Uint8Array | ReadableStream<Uint8Array> | null
}

/** Servers refuse requests that name no program: GoToSocial with 418, others behind a filter against bots with 403. */
export const userAgent = 'Carillon (+https://carillon.dev)'

const bearer: Attach = (accessToken) => ({ headers: { authorization: `Bearer ${accessToken}` } })

export type Sender = { origin: string; accessToken: string | null; nowMs: number; attach?: Attach | undefined }

/** Encodes a call as a request: URL, headers, body and token. */
export async function encodeCall(call: Call<TSchema>, sender: Sender): Promise<EncodedRequest> {
  const isWhole = /^https?:\/\//.test(call.path)
  // The token goes only to the account's own server, even if a platform gives us the URL of another host.
  const isOwn = !isWhole || call.isOwnHost || URL.parse(call.path)?.origin === new URL(sender.origin).origin
  const token =
    sender.accessToken !== null && isOwn && !call.anonymous ? (sender.attach ?? bearer)(sender.accessToken, sender.nowMs) : {}
  const url = URL.parse(isWhole ? call.path : sender.origin.replace(/\/$/, '') + (token.path ?? '') + call.path)
  if (!url) throw unusableAddress()

  for (const [name, value] of Object.entries({ ...call.query, ...token.query })) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) url.searchParams.append(name, one)
  }
  const { body, headers } = await encodeBody(call)
  return {
    url: url.href,
    headers: { accept: 'application/json', 'user-agent': userAgent, ...headers, ...token.headers, ...lowerCased(call.headers) },
    body,
  }
}

/** Some addresses come from the platform, such as those for uploads. */
function unusableAddress(): PlatformError {
  return new PlatformError({
    kind: 'unavailable',
    platformCode: null,
    message: 'The platform named an address that cannot be called.',
  })
}

async function encodeBody(call: Call<TSchema>): Promise<Pick<EncodedRequest, 'headers' | 'body'>> {
  if (call.json !== undefined) return { body: JSON.stringify(call.json), headers: { 'content-type': 'application/json' } }
  if (call.conversation) return { body: call.conversation.opening.join('\n'), headers: {} }
  if (call.bytes) return { body: call.bytes.body, headers: { 'content-type': call.bytes.mimeType } }
  if (call.form) {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(call.form)) if (value !== undefined) form.append(name, value)
    return { body: form.toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  }
  if (call.multipart) {
    // The runtime's Response encodes multipart and names the boundary it chose.
    const encoded = new Response(call.multipart)
    const mimeType = encoded.headers.get('content-type') ?? 'multipart/form-data'
    return { body: new Uint8Array(await encoded.arrayBuffer()), headers: { 'content-type': mimeType } }
  }
  return { body: null, headers: {} }
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
