import { countings, type AccountRules, type MediaRules } from '@carillon/contract'
import type { Static } from 'typebox'
import type { Account } from '../kit/auth.ts'
import { webUrl } from '../kit/web-address.ts'
import type { Capabilities, Client } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { manifest } from './manifest.ts'
import { signRead } from './sign-request.ts'
import { Declaration } from './wire.ts'

type Declared = Static<typeof Declaration>
type Fields = Readonly<Record<string, unknown>>

const hourMs = 3_600_000

export function readDeclaration(http: Http, secret: string): Promise<Declared> {
  return http.call({ method: 'GET', path: '', headers: signRead(http, secret, 'declaration'), returns: Declaration })
}

export const capabilities = {
  currentMs: hourMs,
  async read({ http, credentials }: Client): Promise<Capabilities> {
    return { rules: rulesOf(await readDeclaration(http, credentials.accessToken)) }
  },
}

/** Without an id of its own, the account of a receiver is its address. */
export function accountOf({ id, handle, name, avatarUrl }: Declared, address: string): Account {
  const { host } = new URL(address)
  const shownHandle = textOf(handle) ?? host
  return {
    id: textOf(id) ?? address,
    handle: shownHandle,
    displayName: textOf(name) ?? shownHandle,
    avatarUrl: webUrl(avatarUrl),
  }
}

/** Whether a repeated key is answered with the first post. Only a receiver that says so is ever sent a post twice. */
export function recognisesKeys({ keys }: Declared): boolean {
  return keys === true
}

function rulesOf(declared: Declared): AccountRules {
  const formats = known(manifest.formats, declared.formats)
  const text = fieldsOf(declared.text)
  const counting = countings.find((each) => each === text['counting'])
  const takesReplies = declared.replies === true
  return {
    ...(formats && { formats }),
    text: {
      ...limit('max', text['max'], manifest.text.max),
      ...(counting && { counting }),
      ...(formats && !formats.includes('text') && { alone: false }),
    },
    photos: filesOf(declared.photos, manifest.photos, ['max', 'bytesMax', 'pixelsMax']),
    video: filesOf(declared.video, manifest.video, ['bytesMax', 'pixelsMax', 'secondsMax', 'fpsMax']),
    ...limit('altTextMax', declared.altTextMax, manifest.altText.max),
    ...(!recognisesKeys(declared) && { handle: 'none' as const }),
    can: { firstComment: takesReplies, thread: takesReplies },
  }
}

function filesOf<Name extends keyof MediaRules>(
  declared: unknown,
  rules: MediaRules,
  names: readonly Name[],
): { [key in Name]?: number } & { mimeTypes?: readonly string[] } {
  const fields = fieldsOf(declared)
  const limits = names.map((name) => limit(name, fields[name], rules[name]))
  const mimeTypes = known(rules.mimeTypes, fields['mimeTypes'])
  return Object.assign({}, ...limits, mimeTypes && { mimeTypes })
}

/** The values that are both ours and declared; undefined if nothing of that is usable. */
function known<Value extends string>(ours: readonly Value[], declared: unknown): Value[] | undefined {
  const both = Array.isArray(declared) ? ours.filter((each) => declared.includes(each)) : []
  return both.length > 0 ? both : undefined
}

/** A limit that makes no sense is none that we know, and one beyond ours changes nothing. */
function limit<Name extends string>(name: Name, value: unknown, ours: unknown): { [key in Name]?: number } {
  const isUsable = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
  if (!isUsable || (typeof ours === 'number' && value > ours)) return {}
  return { [name]: value } as { [key in Name]: number }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
