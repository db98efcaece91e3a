import { refusal } from './errors.ts'

const trackers = /^(?:utm_\w+|fbclid|gclid)$/

/** Characters as a browser counts them. */
export function countText(text: string): number {
  return text.length
}

export function checkBody(text: string, max: number): void {
  if (countText(text) > max) throw refusal('invalid_body_field')
}

/** Lemmy takes away what follows people from page to page. */
export function cleanUrl(url: string): string {
  const parsed = new URL(url)
  for (const name of Array.from(parsed.searchParams.keys())) if (trackers.test(name)) parsed.searchParams.delete(name)
  return parsed.href
}

/** The same in the addresses of a text. What the server calls a slur is replaced. */
export function cleanText(text: string, hasSlurs: boolean): string {
  const cleaned = text.replaceAll(/https?:\/\/[^\s<>()]+\?[^\s<>()]+/g, (url) => (URL.canParse(url) ? cleanUrl(url) : url))
  return hasSlurs ? cleaned.replaceAll('fie', '*removed*') : cleaned
}
