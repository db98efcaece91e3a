import { json, type Reply } from '../../http/reply.ts'
import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'
import { formError, refusal } from './errors.ts'

export type PostKind = 'self' | 'link' | 'image' | 'gallery'

/**
 * The beginning of its name says what is particular about a subreddit: it does not exist (`nowhere`), it is private, only some may post there
 * (`restricted`), it takes only texts or only links, no galleries, comments are locked, or it wants a flair. A profile is a subreddit of its person.
 */
const isKind = (name: string, kind: string) => name.toLowerCase().startsWith(`${kind}_`)

const nameForm = /^\w{2,23}$/
const profileForm = /^u_[\w-]{3,20}$/

export function checkSubreddit({ handle }: Account, name: string | undefined, kind: PostKind): string {
  if (name === undefined || name === '') throw formError('SUBREDDIT_REQUIRED')
  if (profileForm.test(name)) {
    if (name.toLowerCase() !== `u_${handle}`.toLowerCase()) throw formError('SUBREDDIT_NOTALLOWED')
    return name
  }
  if (!nameForm.test(name) || isKind(name, 'nowhere')) throw formError('SUBREDDIT_NOEXIST')
  if (isKind(name, 'private')) throw refusal(403, { reason: 'private' })
  if (isKind(name, 'restricted')) throw formError('SUBREDDIT_NOTALLOWED')
  if (isKind(name, 'texts') && kind !== 'self') throw formError('NO_LINKS')
  if (isKind(name, 'links') && kind === 'self') throw formError('NO_SELFS')
  if (isKind(name, 'single') && kind === 'gallery') throw formError('GALLERIES_DISABLED')
  return name
}

export const wantsFlair = (name: string) => isKind(name, 'flaired')
export const isLocked = (name: string) => isKind(name, 'locked')

export type Flair = { id: string; text: string; isEditable: boolean }

export function flairsOf(name: string): Flair[] {
  return ['News', 'Bells & towers', 'Ask'].map((text, at) => ({
    id: `${accountNumber('reddit flair', `${name} ${text}`, 8)}-520c-11e7-8073-0ef8adb5ef68`,
    text,
    isEditable: at === 2,
  }))
}

/** A list without anything around it. Profiles have no flairs, and others are not told those of a private subreddit. */
export function listFlairs(name: string): Reply {
  if (isKind(name, 'private') || profileForm.test(name)) throw refusal(403)
  if (isKind(name, 'nowhere')) throw refusal(404)
  const flairs = flairsOf(name).map(({ id, text, isEditable }) => ({
    type: 'text',
    text_editable: isEditable,
    allowable_content: 'all',
    text,
    max_emojis: 10,
    text_color: 'dark',
    mod_only: false,
    css_class: '',
    richtext: [],
    background_color: '',
    id,
  }))
  return json(200, flairs)
}
