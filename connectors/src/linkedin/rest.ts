import { manifest } from './manifest.ts'

/** Headers that every call to /rest needs. */
export const restHeaders = { 'LinkedIn-Version': manifest.api.version, 'X-Restli-Protocol-Version': '2.0.0' }

const organization = 'urn:li:organization:'

export function isPage(urn: string): boolean {
  return urn.startsWith(organization)
}

/** Encodes a URN for a path or a Rest.li list, where colons and brackets are syntax. */
export function encodeUrn(urn: string): string {
  return encodeURIComponent(urn).replaceAll('(', '%28').replaceAll(')', '%29')
}

export function postUrlOf(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`
}
