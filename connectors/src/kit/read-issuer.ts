import { Type } from 'typebox'
import type { OAuth2 } from './auth.ts'
import type { Http } from './http.ts'
import { PlatformError } from './platform-error.ts'

/** RFC 8414, with the parameter of RFC 9207. */
const Metadata = Type.Object({
  issuer: Type.String(),
  authorization_response_iss_parameter_supported: Type.Optional(Type.Boolean()),
})

/** The `iss` that an authorization server sends with its answer, and whether it says that it always sends one. */
export type Issuer = { url: string; isRequired: boolean }

/**
 * What the server of an instance calls itself. A server that describes itself as another one is not believed: its own address is its name.
 * Many servers have no description; they are known by their address too.
 */
export async function readIssuer({ metadataPath }: OAuth2, http: Http): Promise<Issuer> {
  const unknown = { url: http.origin, isRequired: false }
  if (metadataPath === undefined) return unknown
  try {
    const metadata = await http.call({ method: 'GET', path: metadataPath, anonymous: true, returns: Metadata })
    const { issuer: url, authorization_response_iss_parameter_supported: isRequired = false } = metadata
    return { url: isSameIssuer(url, http.origin) ? url : http.origin, isRequired }
  } catch (error) {
    if (error instanceof PlatformError) return unknown
    throw error
  }
}

/** Servers disagree about the slash at the end of their address. */
export function isSameIssuer(one: string, other: string): boolean {
  return normalise(one) === normalise(other)
}

function normalise(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : url
}
