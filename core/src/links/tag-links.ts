import type { LinkRule, PlatformRules } from '@carillon/contract'
import { findLinksOf } from '../count-text.ts'
import { hasLink } from '../draft.ts'

/** What the placeholders of a rule stand for in one post on one account. `date` is a day, such as 2026-11-19. */
export type LinkValues = { platform: string; account: string; date: string; title: string }

/** The rule for one account, with its placeholders filled in. Plain data, so that a post can keep what it was checked with. */
export type LinkTags = {
  domains: readonly string[]
  /** Names and values of parameters, not yet encoded. Empty: the links stay as they are. */
  parameters: readonly (readonly [name: string, value: string])[]
  /** Links end in a text where the platform lets them end. */
  counting: PlatformRules['text']['counting']
}

type CountingRules = { text: Pick<PlatformRules['text'], 'counting'> }

type TaggedFields = {
  text: string | null
  firstComment: string | null
  thread?: readonly { text: string }[] | null
  linkUrl: string | null
}

export const linkPlaceholders = ['platform', 'account', 'date', 'title'] as const

const placeholder = /\{([^{}]*)\}/g
/** A title may be long, and its encoded form three to nine times as long. */
const valueMax = 100
const known = /[?&#;]utm_source=/i

/** The placeholders of a template that stand for nothing. */
export function listUnknownPlaceholders(template: string): string[] {
  const names: readonly string[] = linkPlaceholders
  return [...template.matchAll(placeholder)].flatMap(([all, name = '']) => (names.includes(name) ? [] : [all]))
}

/** Fills the placeholders of a rule in. Without a source nothing is tagged, and a parameter without a value is left out. */
export function resolveLinkTags(rule: LinkRule, values: LinkValues, { text: { counting } }: CountingRules): LinkTags {
  const { domains, source, medium, campaign = '', content = '', term = '' } = rule
  const fill = (template: string) => {
    const filled = template.replaceAll(placeholder, (all, name: string) => (isName(name) ? values[name] : all))
    return Array.from(filled.replaceAll(/\s+/g, ' ').trim()).slice(0, valueMax).join('').trim()
  }
  const all = [
    ['utm_source', fill(source)],
    ['utm_medium', fill(medium)],
    ['utm_campaign', fill(campaign)],
    ['utm_content', fill(content)],
    ['utm_term', fill(term)],
  ] as const
  return { domains, parameters: all[0][1] === '' ? [] : all.filter(([, value]) => value !== ''), counting }
}

function isName(name: string): name is keyof LinkValues {
  return (linkPlaceholders as readonly string[]).includes(name)
}

/** All texts of a draft as they are sent. A link in a text and the same link in its own field stay the same link. */
export function tagDraft<Fields extends TaggedFields>(fields: Fields, tags: LinkTags | null): Fields {
  if (tags === null || tags.parameters.length === 0) return fields
  const { text, firstComment, thread, linkUrl } = fields
  const taggedText = text === null ? null : tagLinks(text, tags)
  const taggedUrl = linkUrl === null ? null : tagLink(linkUrl, tags)
  const isBoth = text !== null && linkUrl !== null && hasLink(text, linkUrl)
  const staysBoth = taggedText !== null && taggedUrl !== null && hasLink(taggedText, taggedUrl)
  return {
    ...fields,
    text: taggedText,
    firstComment: firstComment === null ? null : tagLinks(firstComment, tags),
    ...(thread && { thread: thread.map((part) => ({ ...part, text: tagLinks(part.text, tags) })) }),
    // Otherwise the link would be added to a text that has it already.
    linkUrl: isBoth && !staysBoth ? linkUrl : taggedUrl,
  }
}

/** The links of a draft that differ from what was written, as they are sent. */
export function listTaggedLinks(fields: TaggedFields, tags: LinkTags | null): string[] {
  if (tags === null || tags.parameters.length === 0) return []
  const tagged = tagDraft(fields, tags)
  const textsOf = ({ text, firstComment, thread }: TaggedFields) => [
    text,
    ...(thread ?? []).map((part) => part.text),
    firstComment,
  ]
  const linksOf = (each: TaggedFields) => [
    ...(each.linkUrl === null ? [] : [each.linkUrl]),
    ...textsOf(each).flatMap((text) => (text === null ? [] : findLinksOf(text, tags).map((link) => link.text))),
  ]
  const before = new Set(linksOf(fields))
  return [...new Set(linksOf(tagged).filter((link) => !before.has(link)))]
}

/**
 * Adds the parameters to the links of a text, and changes nothing else. Only links with `http` or `https`: a host name alone may be a name. A
 * link stays as it is if what follows it would become part of it, because a platform would then open another address.
 */
export function tagLinks(text: string, tags: LinkTags): string {
  if (tags.parameters.length === 0 || !text.includes('://')) return text
  let changes = findLinksOf(text, tags).flatMap(({ start, end, text: link }): Change[] => {
    const tagged = tagLink(link, tags)
    return tagged === link ? [] : [{ start, end, tagged }]
  })
  while (changes.length > 0) {
    const { result, starts } = applyChanges(text, changes)
    const found = new Set(findLinksOf(result, tags).map((link) => `${link.start} ${link.text}`))
    const kept = changes.filter(({ tagged }, index) => found.has(`${starts[index]} ${tagged}`))
    if (kept.length === changes.length) return result
    changes = kept
  }
  return text
}

type Change = { start: number; end: number; tagged: string }

function applyChanges(text: string, changes: readonly Change[]): { result: string; starts: number[] } {
  let result = ''
  let from = 0
  const starts = changes.map(({ start, end, tagged }) => {
    result += text.slice(from, start)
    const at = result.length
    result += tagged
    from = end
    return at
  })
  return { result: result + text.slice(from), starts }
}

/** Adds the parameters to one address, between its own parameters and its fragment. What it has already is not changed. */
export function tagLink(link: string, { domains, parameters }: LinkTags): string {
  if (known.test(link) || !/^https?:\/\//i.test(link) || !URL.canParse(link)) return link
  const url = new URL(link)
  if (!domains.some((domain) => isHostOf(url.hostname, domain))) return link
  const own = new Set([...url.searchParams.keys()].map((name) => name.toLowerCase()))
  if (own.has('utm_source')) return link
  const added = parameters.filter(([name]) => !own.has(name)).map(([name, value]) => `${name}=${encodeValue(value)}`)
  const hash = link.indexOf('#')
  const [address, fragment] = hash === -1 ? [link, ''] : [link.slice(0, hash), link.slice(hash)]
  const [before, query] = splitOnce(address, '?')
  // Right after a host name, some platforms end a link before a question mark.
  const path = /^[a-z]+:\/\/[^/]*$/i.test(before) ? `${before}/` : before
  const separator = query === undefined ? '?' : query === '' || query.endsWith('&') ? '' : '&'
  return `${path}${query === undefined ? '' : `?${query}`}${separator}${added.join('&')}${fragment}`
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function isHostOf(hostname: string, domain: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return name === domain || name.endsWith(`.${domain}`)
}

/** Encodes also what may stand in an address but ends a link in a text: brackets, quotes, and a full stop at the end. */
function encodeValue(value: string): string {
  const encoded = encodeURIComponent(value.toWellFormed())
  return encoded.replaceAll(/[!'()*~]/g, hexOf).replace(/\.$/, '%2E')
}

function hexOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** A host name as addresses are compared with it: in lower case, and with the letters of all scripts in ASCII. Null: it is none. */
export function readDomain(given: string): string | null {
  const name = given.trim().replace(/\.$/, '')
  if (name === '' || /[\s/?#@:\\[\]%]/.test(name) || !URL.canParse(`https://${name}`)) return null
  const { hostname } = new URL(`https://${name}`)
  // At least two labels, and no address in numbers: `com` alone would tag every link there.
  return /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(hostname) ? hostname : null
}
