import type { ApiKey, GrantableScope } from '@carillon/sdk'

export type PostingLimits = NonNullable<ApiKey['limits']>

/** What the form has chosen. Null: this does not narrow the key. A number is kept as it was typed. */
export type LimitChoices = {
  connections: readonly string[] | null
  postsPerDay: string | null
  hours: { from: string; to: string } | null
  onDuplicate: 'allow' | 'warn' | 'refuse'
}

export const noLimits: LimitChoices = { connections: null, postsPerDay: null, hours: null, onDuplicate: 'allow' }

const postsMax = 1000

/** Which of the choices cannot be accepted as it is. */
export function findUnfinished({ connections, postsPerDay, hours }: LimitChoices): (keyof LimitChoices)[] {
  return [
    ...(connections?.length === 0 ? (['connections'] as const) : []),
    ...(postsPerDay !== null && !isNumberOfPosts(postsPerDay) ? (['postsPerDay'] as const) : []),
    ...(hours && (hours.from === '' || hours.to === '' || hours.from === hours.to) ? (['hours'] as const) : []),
  ]
}

function isNumberOfPosts(text: string): boolean {
  return /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= postsMax
}

/** The limits of a request. A key for drafts releases nothing, so only its accounts matter. */
export function limitsOf(choices: LimitChoices, isDraftsOnly: boolean): PostingLimits | null {
  const { connections, postsPerDay, hours, onDuplicate } = choices
  const limits: PostingLimits = {
    ...(connections && { connections: [...connections] }),
    ...(!isDraftsOnly && postsPerDay !== null && { postsPerDay: Number(postsPerDay) }),
    ...(!isDraftsOnly && hours && { hours }),
    ...(!isDraftsOnly && onDuplicate !== 'allow' && { onDuplicate }),
  }
  return Object.keys(limits).length > 0 ? limits : null
}

/** May it write posts, but publish none? Null: it may do everything. */
export function isForDraftsOnly(scopes: readonly string[] | null): boolean {
  const has = (verb: string) => scopes?.includes(`content:${verb}`) === true
  return has('draft') && !has('write') && !has('publish') && !has('*')
}

/** The same scopes, with drafts only or with publishing. */
export function withDraftsOnly(scopes: readonly GrantableScope[], isDraftsOnly: boolean): GrantableScope[] {
  const [from, to] = isDraftsOnly ? (['content:write', 'content:draft'] as const) : (['content:draft', 'content:write'] as const)
  return scopes.map((scope) => (scope === from ? to : scope))
}
