import { blocksLink, isHost, isWord } from '../character-class.ts'

export type Link = { start: number; end: number; text: string }

/** Part of a text that consists of the characters of host names, with the positions of its dots. */
type Run = { start: number; end: number; dots: readonly number[] }

/** Where the top-level domain that begins at a position ends; -1 if none begins there. */
type FindDomainEnd = (text: string, start: number) => number

/** Common top-level domains. A host name without `http://` counts as a link only under one of these. */
const commonDomains = new Set(
  (
    'com org net edu gov info biz io dev app ai co me tv fm gg ly to xyz blog shop store news site online tech social cloud live link ' +
    'world eu uk us ca de fr es it pt nl be ch at pl cz se no fi dk ie ru ua tr gr in jp cn kr tw hk sg id th vn my ph au nz br mx ' +
    'ar cl za ng ke il ae'
  ).split(' '),
)
const otherDomains = ['рф', 'укр', 'бел', 'срб', '中国', '中國', '한국', 'みんな']
const labelLengthMax = 63
const dotCode = 46

// Sticky patterns are tried at one position only.
const punycode = /xn--[a-z0-9-]{2,59}/iy
const port = /:\d{1,5}/y
// Where bare hosts are links: Latin and Cyrillic only. Japanese text that directly follows a URL is not part of it.
const narrowTail = /[/?][\p{Script=Latin}\p{Script=Cyrillic}\p{Nd}!*'();:=+,.$/%#[\]\-–_~@|&?]*/uy

// Elsewhere: everything up to a space or a bracket that is not closed.
const wideTail = /[/?](?:[^\s<>()]|\([^\s<>()]*\))*/uy

/**
 * Finds the links in a text the way platforms with link shorteners do. `bare` also finds `example.com` without a scheme, and ends
 * a link before a letter of another script; without it, letters of all scripts belong to a link.
 *
 * Every character is looked at a fixed number of times. One pattern for the same rules takes quadratic time, because a link may start at
 * any letter that is not Latin.
 */
export function findLinks(text: string, { bare = false }: { bare?: boolean } = {}): Link[] {
  const links: Link[] = []
  let at = 0
  while (at < text.length) {
    const run = readRun(text, skipOthers(text, at))
    at = bare ? addBareLinks(text, run, links) : run.end
    if (at === run.end && text.startsWith('://', at)) at = addLinkWithScheme(text, run, links, bare ? narrowTail : wideTail)
  }
  return links
}

/** Adds the links of a run that have no scheme. Returns the position after the last one, or else the end of the run. */
function addBareLinks(text: string, run: Run, links: Link[]): number {
  if (run.dots.length === 0) return run.end
  const domainEnds = findDomainEnds(text, run, findCommonDomainEnd)
  let from = run.start
  for (let index = 0; index < run.dots.length; index++) {
    const [dot = 0, domainEnd = -1] = [run.dots[index], domainEnds[index]]
    if (domainEnd === -1 || dot < from) continue
    const start = findStart(text, Math.max(from, startOfLabel(run, index)), dot)
    if (start === -1) continue
    from = addLink(text, { start, domainEnd }, links, narrowTail)
    if (from >= run.end) return from
  }
  return run.end
}

/** Adds the link whose scheme ends a run, if it is one. Returns the position after it, or else the end of the run. */
function addLinkWithScheme(text: string, { start: runStart, end }: Run, links: Link[], tail: RegExp): number {
  const word = text.slice(Math.max(runStart, end - 5), end).toLowerCase()
  const start = word === 'https' ? end - 5 : word.endsWith('http') ? end - 4 : -1
  if (start === -1 || !canStartAfter(text, start)) return end
  const host = readRun(text, end + 3)
  if (host.dots.length === 0 || !isLabel(text, host.start, host.dots[0] ?? 0)) return end
  const [domainEnd = -1] = findDomainEnds(text, host, findAnyDomainEnd)
  return domainEnd === -1 ? end : addLink(text, { start, domainEnd }, links, tail)
}

function addLink(text: string, { start, domainEnd }: { start: number; domainEnd: number }, links: Link[], tail: RegExp): number {
  const portEnd = text.charAt(domainEnd) === ':' ? matchEnd(port, text, domainEnd) : domainEnd
  const hasTail = text.charAt(portEnd) === '/' || text.charAt(portEnd) === '?'
  const end = hasTail ? matchEnd(tail, text, portEnd) : portEnd
  const link = trimTrailingPunctuation(text.slice(start, end))
  links.push({ start, end: start + link.length, text: link })
  return end
}

/**
 * For each label of a run: where the domain ends of the longest host name that contains the label before this dot. Each label is looked at
 * once, from the last to the first.
 */
function findDomainEnds(text: string, run: Run, findDomainEnd: FindDomainEnd): number[] {
  const ends = run.dots.map(() => -1)
  for (let index = run.dots.length - 1; index >= 0; index--) {
    const next = startOfLabel(run, index + 1)
    const nextDot = run.dots[index + 1]
    const further = nextDot !== undefined && isLabel(text, next, nextDot) ? (ends[index + 1] ?? -1) : -1
    ends[index] = further === -1 ? findDomainEnd(text, next) : further
  }
  return ends
}

function startOfLabel({ start, dots }: Run, index: number): number {
  return index === 0 ? start : (dots[index - 1] ?? 0) + 1
}

function isLabel(text: string, start: number, end: number): boolean {
  return start < end && isWord(codePointAt(text, start)) && isShort(text, start, end)
}

function isShort(text: string, start: number, end: number): boolean {
  if (end - start <= labelLengthMax) return true
  if (end - start > labelLengthMax * 2) return false
  return Array.from(text.slice(start, end)).length <= labelLengthMax
}

/** The first position from which a label of allowed length leads to the dot; -1 if there is none. */
function findStart(text: string, from: number, dot: number): number {
  let found = -1
  let at = dot
  for (let length = 1; length <= labelLengthMax && at > from; length++) {
    at -= isLowSurrogate(text.charCodeAt(at - 1)) && at - 1 > from ? 2 : 1
    if (isWord(codePointAt(text, at)) && canStartAfter(text, at)) found = at
  }
  return found
}

function canStartAfter(text: string, start: number): boolean {
  if (start === 0) return true
  const before = isLowSurrogate(text.charCodeAt(start - 1)) && start > 1 ? start - 2 : start - 1
  return !blocksLink(codePointAt(text, before))
}

function findCommonDomainEnd(text: string, start: number): number {
  const end = skipAsciiLetters(text, start, start + 8)
  return end - start >= 2 && endsDomain(text, end) && commonDomains.has(text.slice(start, end).toLowerCase()) ? end : -1
}

function findAnyDomainEnd(text: string, start: number): number {
  const punycodeEnd = matchEnd(punycode, text, start)
  const end = punycodeEnd > start ? punycodeEnd : skipAsciiLetters(text, start, start + labelLengthMax + 1)
  if (end - start >= 2 && end - start <= labelLengthMax && endsDomain(text, end)) return end
  const name = text.slice(start, start + 3).toLowerCase()
  const other = otherDomains.find((domain) => name.startsWith(domain))
  return other !== undefined && endsDomain(text, start + other.length) ? start + other.length : -1
}

function skipAsciiLetters(text: string, start: number, endMax: number): number {
  let at = start
  while (at < endMax && isAsciiLetter(text.charCodeAt(at))) at++
  return at
}

/** Whether a domain may end here: a Latin letter, a digit, `@`, `_` or `-` would continue it. */
function endsDomain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return !(isAsciiLetter(code) || (code >= 48 && code <= 57) || code === 64 || code === 95 || code === 45)
}

function isAsciiLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function codePointAt(text: string, at: number): number {
  return text.codePointAt(at) ?? 0
}

function matchEnd(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at
  return sticky.test(text) ? sticky.lastIndex : at
}

function skipOthers(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = codePointAt(text, at)
    if (isHost(code) && code !== dotCode) break
    at += code > 0xffff ? 2 : 1
  }
  return at
}

function readRun(text: string, start: number): Run {
  const dots: number[] = []
  let end = start
  while (end < text.length) {
    const code = codePointAt(text, end)
    if (!isHost(code)) break
    if (code === dotCode) {
      // No host name continues after two dots.
      if (dots.at(-1) === end - 1) break
      dots.push(end)
    }
    end += code > 0xffff ? 2 : 1
  }
  return { start, end, dots }
}

/** Cuts off punctuation that belongs to the sentence: a final full stop, or a closing bracket that the link did not open. */
function trimTrailingPunctuation(link: string): string {
  let end = link.length
  if (!".,;:!?'()[]".includes(link.charAt(end - 1))) return link
  let unopened: Unopened | null = null
  for (; end > 0; end--) {
    const last = link.charAt(end - 1)
    if (last === ')' || last === ']') {
      unopened ??= countUnopened(link)
      if (unopened[last] <= 0) break
      unopened[last]--
    } else if (!".,;:!?'([".includes(last)) break
  }
  return link.slice(0, end)
}

type Unopened = Record<')' | ']', number>

/** How many closing brackets have no opening one. */
function countUnopened(link: string): Unopened {
  const countOf = (character: string) => link.split(character).length
  return { ')': countOf(')') - countOf('('), ']': countOf(']') - countOf('[') }
}
