import type { Post } from '@carillon/sdk'

/** What a version of a post consists of. Every part names the version, so that parts of two versions cannot be taken for one. */
export type Version = { text: string; connections: readonly string[]; medias: readonly string[]; alts: readonly string[] }

/** What the versions of a post are made of. */
export type Parts = { connections: readonly string[]; medias: readonly string[] }

/** A post that is edited again and again. Versions are counted from 1. */
export type EditedPost = {
  id: string
  /** All of its texts begin with this, and no text of another post does. */
  prefix: string
  parts: Parts
  dueMs: number
  /** The newest version that a request was sent for. */
  sent: number
  /** The newest version that an answer showed. An older one must never be seen again. */
  seen: number
}

/** The part of an answer that is compared. */
export type PostAnswer = Pick<Post, 'text' | 'status' | 'medias' | 'channels'>

/** Three connections make three pairs: every edit adds a channel, keeps one, and removes one. */
export function versionOf({ prefix, parts }: Pick<EditedPost, 'prefix' | 'parts'>, version: number): Version {
  const pick = (list: readonly string[], at: number) => list[at % list.length] ?? ''
  return {
    text: `${prefix}v${version}`,
    connections: [pick(parts.connections, version), pick(parts.connections, version + 1)],
    medias: [pick(parts.medias, version)],
    alts: [`alt ${version}`],
  }
}

export function bodyOf({ text, connections, medias, alts }: Version): Record<string, unknown> {
  return { text, connections, medias, mediaOptions: alts.map((alt) => ({ alt })) }
}

export function versionIn({ prefix }: EditedPost, text: string | null): number | null {
  const number = text?.startsWith(`${prefix}v`) ? Number(text.slice(prefix.length + 1)) : Number.NaN
  return Number.isInteger(number) ? number : null
}

/** When an answer was asked for and received, and the oldest version that it may show. */
export type Moment = { floor: number; answeredMs: number }

const statusesOnceDue = ['scheduled', 'publishing', 'completed']

/** What is wrong with a post as the API shows it: null if nothing is. */
export function findFault(post: EditedPost, answer: PostAnswer, { floor, answeredMs }: Moment): string | null {
  const { text, status } = answer
  const version = versionIn(post, text)
  const says = `${post.prefix}: ${status}, ${JSON.stringify(text)}`
  if (version === null || version < floor || version > post.sent)
    return `${says}: not one of the versions ${floor} to ${post.sent}`
  if (status !== 'scheduled' && answeredMs < post.dueMs)
    return `${says}: not scheduled ${post.dueMs - answeredMs} ms before its time`
  if (!statusesOnceDue.includes(status)) return `${says}: not on its way`
  const wanted = versionOf(post, version)
  const shown = {
    connections: answer.channels.map(({ connection }) => connection),
    medias: answer.medias.map(({ id }) => id ?? ''),
    alts: answer.medias.map(({ alt }) => alt),
  }
  for (const part of ['connections', 'medias', 'alts'] as const)
    if (!isSame(shown[part], wanted[part]))
      return `${says}: its ${part} are ${shown[part].join(', ')}, not ${wanted[part].join(', ')}`
  return null
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join(' ') === other.toSorted().join(' ')
}
