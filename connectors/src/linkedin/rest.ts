import { manifest } from './manifest.ts'

/** What every call below /rest must bring. */
export const restHeaders = { 'LinkedIn-Version': manifest.api.version, 'X-Restli-Protocol-Version': '2.0.0' }

const organization = 'urn:li:organization:'

export function isPage(urn: string): boolean {
  return urn.startsWith(organization)
}

/** A URN as part of a path or of a Rest.li list, where its colons and brackets must not be read as syntax. */
export function encodeUrn(urn: string): string {
  return encodeURIComponent(urn).replaceAll('(', '%28').replaceAll(')', '%29')
}

export function postUrlOf(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`
}

/** The upper bits of a post's number are the moment it was made; null where there is no number. */
export function createdAtMs(urn: string): number | null {
  const number = /:(\d{15,20})$/.exec(urn)?.[1]
  return number === undefined ? null : Number(BigInt(number) >> 22n)
}
