import type { Draft, Handle } from './connector.ts'

const titleLengthMax = 80
const keyLength = 16

/** An address that a browser may open; anything else is left out. */
export function webUrl(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

/**
 * The last part of the address of a post: its title for people, and an end by which a lost post is found. No two posts of a site have the
 * same.
 */
export function slugOf({ title }: Pick<Draft, 'title'>, { key }: Pick<Handle, 'key'>): string {
  const words = (title ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, titleLengthMax)
    .replaceAll(/^-|-$/g, '')
  // The end of a key is random; its beginning may be a time.
  const end = key
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .slice(-keyLength)
  return `${words === '' ? 'post' : words}-${end}`
}
